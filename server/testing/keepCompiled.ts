import { flushCompileCache } from 'node:module'

/**
 * Keeps what Node has compiled so far for the next process (NODE_COMPILE_CACHE), which otherwise happens at a process's
 * end: the workers of the tests are killed. Loading the server again takes half the time.
 */
export const keepCompiled = (): void => flushCompileCache()
