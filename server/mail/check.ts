import { withoutSecrets } from '../log.ts'

/** Milliseconds that a mail server has to answer a check. */
const PATIENCE = 15_000

/** Connects to the mail server and logs in, without sending anything. Returns what's wrong as a sentence, or null. */
export async function mailServerProblem(url: string, patience = PATIENCE): Promise<string | null> {
  const { createTransport } = await import('nodemailer')
  const limits = { connectionTimeout: patience, greetingTimeout: patience, socketTimeout: patience }
  const transport = createTransport({ url, ...limits })
  try {
    await transport.verify()
    return null
  } catch (error) {
    return sentenceOf(error, new URL(url))
  } finally {
    transport.close()
  }
}

/** By the library's codes (nodemailer/lib/errors.js) and the system's. */
function sentenceOf(error: unknown, { protocol, hostname, port }: URL): string {
  const server = `${hostname}:${port || (protocol === 'smtps:' ? '465' : '587')}`
  if (!(error instanceof Error)) return `The mail server ${server} can't be used.`
  const [code, call]: unknown[] = ['code', 'syscall'].map((name) => Reflect.get(error, name))
  const said = withoutSecrets(error.message).slice(0, 300)
  if (code === 'EAUTH' || code === 'ENOAUTH')
    return `The mail server ${server} refuses the user or the password in SMTP_URL: ${said}`
  if (code === 'EDNS' || code === 'ENOTFOUND') return `There's no mail server named ${hostname}. Check SMTP_URL.`
  if (code === 'ETIMEDOUT' || /timeout|Greeting never received/i.test(error.message))
    return `The mail server ${server} doesn't answer. Check its name and port in SMTP_URL, with smtps:// for port 465, and whether a firewall is in between.`
  if (code === 'ECONNREFUSED' || call === 'connect')
    return `No mail server answers at ${server}. Check its name and port in SMTP_URL.`
  if (code === 'ETLS' || /certificate|wrong version number|SSL/i.test(error.message))
    return `The mail server ${server} can't be reached by TLS: ${said}. Use smtps:// for port 465 and smtp:// for 587 or 25.`
  return `The mail server ${server} can't be used: ${said}`
}
