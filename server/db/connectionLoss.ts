const lossCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  '57P01',
  '57P02',
  '57P03',
  '08000',
  '08001',
  '08003',
  '08006',
  '53300',
])

/** What node-postgres says without a code. */
const lossText =
  /connection terminated|timeout exceeded when trying to connect|client has encountered a connection error|not queryable/i

/** Whether a statement failed because the database can't be reached: nothing is wrong with the statement. */
export function isConnectionLoss(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined
  // the socket's file is missing while the embedded database is down; other missing files don't count
  if (code === 'ENOENT') return 'syscall' in thrown && thrown.syscall === 'connect'
  return (code !== undefined && lossCodes.has(code)) || lossText.test(thrown.message)
}
