import { escaped } from '#contract/linkInBio/render.ts'
import { policyFor } from './policy.ts'

/* Pages that say something in place of a public page, and its report form: without scripts, in the browser's light or dark colors. */

const style = `:root{color-scheme:light dark;--page:light-dark(#fff,#111315);--ink:light-dark(#1a1c1e,#f4f5f6);--soft:light-dark(#54595f,#b0b6bd);--line:light-dark(#767b82,#7d858d);--wrong:light-dark(#b3261e,#ffb4ab)}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:2rem 1.25rem;background:var(--page);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;-webkit-text-size-adjust:100%;overflow-wrap:anywhere}
main{width:100%;max-width:30rem}
h1{font-size:1.5rem;line-height:1.25;letter-spacing:-.015em;text-wrap:balance;margin:0 0 .5rem}
p{margin:0 0 1rem;color:var(--soft)}
a{display:inline-flex;align-items:center;min-height:2.75rem;color:inherit}
fieldset{border:0;padding:0;margin:0 0 1.25rem}
legend,label{font-weight:600;padding:0}
fieldset label{display:flex;align-items:center;gap:.625rem;min-height:2.75rem;font-weight:400}
input[type=radio]{width:1.25rem;height:1.25rem;margin:0;flex:none;accent-color:var(--ink)}
textarea,input[type=email]{display:block;width:100%;margin:.25rem 0 1.25rem;padding:.625rem .75rem;min-height:2.75rem;font:inherit;color:inherit;background:var(--page);border:1px solid var(--line);border-radius:8px}
button{min-height:2.75rem;padding:.625rem 1.25rem;font:inherit;font-weight:600;color:var(--page);background:var(--ink);border:1px solid var(--ink);border-radius:8px;cursor:pointer}
:focus-visible{outline:3px solid var(--ink);outline-offset:3px}
.wrong{color:var(--wrong);font-weight:600}`

/** What such a page is sent with: no cache keeps it, and no search engine lists it. */
export const messageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policyFor(style, "form-action 'self'"),
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex',
}

/** A page with a heading, sentences, and what follows them as HTML. */
export const messagePage = (heading: string, sentences: readonly string[], html = ''): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escaped(heading)}</title>
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<style>${style}</style>
</head>
<body>
<main>
<h1>${escaped(heading)}</h1>
${sentences.map((sentence) => `<p>${escaped(sentence)}</p>\n`).join('')}${html}</main>
</body>
</html>
`

export const missingPage = (): string =>
  messagePage("This page doesn't exist", [
    'Check the address for typos. The page may also have been deleted, or not be public yet.',
  ])

/** `contact`: where its owner can ask. */
export const blockedPage = (contact: string | null): string =>
  messagePage('This page is no longer available', [
    "We turned it off because it broke our rules or could have harmed its visitors. Its links don't work anymore.",
    `Is it your page? You'll find the reason in its editor.${contact === null ? '' : ` If you have questions, write to ${contact}.`}`,
  ])

export const busyPage = (): string =>
  messagePage('Try again in a moment', ['Too many pages are being opened right now. Wait a minute, then reload.'])
