import type { Mail } from './mailer.ts'

/** A paragraph, a code in large letters, a link as a button, one of several notifications, or small print, which can end with a link. */
export type Block = string | { code: string } | { link: string; label: string } | Item | Small

type Small = { small: string; last?: { link: string; label: string } }

/** One notification: what, when and where, why, what someone said about it, and its link. */
export type Item = { title: string; about: string; text: string; quote?: string; link?: string; label?: string }

/** One email as plain text and as HTML without external images or styles. */
export function mail(to: string, subject: string, blocks: readonly Block[]): Mail {
  return {
    to,
    subject,
    text: `${blocks.map(asText).join('\n\n')}\n\n${SIGNATURE}\n`,
    html: page(subject, blocks.map(asHtml).join('\n')),
    // RFC 3834: so that no out-of-office reply comes back
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}

const SIGNATURE = 'Rookery'

function asText(block: Block): string {
  if (typeof block === 'string') return block
  if ('small' in block) return block.last ? `${block.small} ${block.last.label}: ${block.last.link}` : block.small
  if ('title' in block)
    return [block.title, block.about, block.text, quotedText(block.quote), block.link].filter(Boolean).join('\n')
  return 'code' in block ? `    ${block.code}` : block.link
}

/** As email programs mark quoted text. */
const quotedText = (quote: string | undefined) => quote?.replaceAll(/^/gmu, '> ')

function asHtml(block: Block): string {
  if (typeof block === 'string') return `<p style="margin:0 0 16px">${escape(block)}</p>`
  if ('code' in block)
    return `<p style="margin:0 0 16px;font:700 32px/1.2 ui-monospace,Menlo,Consolas,monospace;letter-spacing:6px">${escape(block.code)}</p>`
  if ('small' in block)
    return `<p style="margin:0 0 12px;font-size:13px;color:#555;overflow-wrap:anywhere">${escape(block.small)}${lastLink(block)}</p>`
  if ('title' in block) return itemHtml(block)
  const href = escape(block.link)
  return `<p style="margin:0 0 16px"><a href="${href}" style="display:inline-block;padding:10px 18px;border-radius:8px;background:#1f2937;color:#fff;text-decoration:none">${escape(block.label)}</a></p>
<p style="margin:0 0 16px;font-size:13px;color:#555;word-break:break-all">${href}</p>`
}

const lastLink = ({ last }: Small): string =>
  last ? ` <a href="${escape(last.link)}" style="color:#555">${escape(last.label)}</a>` : ''

function itemHtml({ title, about, text, quote, link, label = 'Open' }: Item): string {
  const said =
    quote === undefined
      ? ''
      : `<blockquote style="margin:8px 0 0;padding:2px 0 2px 12px;border-left:3px solid #d4d4d8;white-space:pre-line">${escape(quote)}</blockquote>\n`
  const open =
    link === undefined
      ? ''
      : `<p style="margin:8px 0 0"><a href="${escape(link)}" style="color:#1d4ed8;font-weight:600">${escape(label)}</a></p>`
  return `<div style="margin:0 0 16px;padding:14px 16px;border:1px solid #e4e4e7;border-radius:8px">
<p style="margin:0;font-weight:700">${escape(title)}</p>
<p style="margin:2px 0 0;font-size:13px;color:#555">${escape(about)}</p>
${text === '' ? '' : `<p style="margin:8px 0 0">${escape(text)}</p>\n`}${said}${open}</div>`
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(title)}</title></head>
<body style="margin:0;padding:32px 16px;background:#f4f4f5;color:#18181b;font:16px/1.5 system-ui,-apple-system,Segoe UI,Roboto,sans-serif">
<div style="max-width:520px;margin:0 auto;padding:32px;background:#fff;border-radius:12px">
${body}
<p style="margin:0;color:#555">${SIGNATURE}</p>
</div></body></html>
`
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escape = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
