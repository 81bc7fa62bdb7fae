// The memory that the watcher shares with the thread that runs Python: a count of the interrupts, then the last one's name.

/** Index of the count, in 32-bit words. */
export const COUNT = 0
/** Where the name starts, in bytes. */
export const NAME_OFFSET = 4
/** Bytes of a cell's name, here and on the way; shorter names are padded with zeros. */
export const NAME_BYTES = 64
