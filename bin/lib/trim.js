/**
 * Returns what glibc has free to the system, in 0.3 ms at rest and up to 7 ms after a load. By itself, it only returns what
 * is free at its heap's end: 30 of 100 MB. Undefined where that can't be done.
 */
export function openTrim() {
  try {
    const { functions } = process
      .getBuiltinModule('node:ffi')
      .dlopen('libc.so.6', { malloc_trim: { arguments: ['uint64'], return: 'int32' } })
    const trim = () => void functions.malloc_trim(0n)
    trim()
    return trim
  } catch {
    // another system, another C library, or a Node whose experimental module is different
    return undefined
  }
}

/** A thread that is busy for less of its time isn't answering anyone. */
const QUIET = 0.05
/** Growth of V8's heap that is worth a collection, which takes 30 to 80 ms. In bytes. */
const WORTH = 16_000_000

/**
 * Returns memory each time it's called. V8 collects what a load left only when so much has been allocated again, which can
 * take minutes: it's done here once the thread is quiet.
 */
export function keepSmall({ trim, collect, heapSize, busy }) {
  let smallest = Infinity
  return () => {
    const size = heapSize()
    if (busy() < QUIET && size > smallest + WORTH) {
      collect()
      smallest = heapSize()
    } else smallest = Math.min(smallest, size)
    trim()
  }
}
