/** Jobs that verbs enqueue; jobs.ts runs them. */
export const askJob = { name: 'reports.ask' }
export const runJob = { name: 'reports.run' }
