/** Stands for code of users, which reports must tell from ours. */
@NullMarked
package guest;

import org.jspecify.annotations.NullMarked;
