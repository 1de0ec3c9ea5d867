import { z } from 'zod'

// The content security policy forbids compiling code at run time, and Zod tries to when the first schema is built, so
// this module comes before all of them. What is parsed here is small; the server compiles its own.
z.config({ jitless: true })
