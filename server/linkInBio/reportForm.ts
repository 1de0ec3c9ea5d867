import { escaped } from '#contract/linkInBio/render.ts'
import { bioPath } from '#contract/linkInBio/slugs.ts'
import { messagePage } from '../publicPages/messagePage.ts'
import { REPORT_WORDS, reportReasons } from './reports.ts'

/** What someone sent that couldn't be accepted, and why, by field. */
export type Rejected = { sent: URLSearchParams; errors: Partial<Record<'reason' | 'words' | 'email', string>> }

/** The form to report a page to the operator. */
export function reportForm({ slug, name }: { slug: string; name: string }, rejected?: Rejected): string {
  const { sent = new URLSearchParams(), errors = {} } = rejected ?? {}
  const problem = (field: keyof Rejected['errors']) =>
    errors[field] === undefined ? '' : `<p class="wrong" id="${field}-problem">${escaped(errors[field])}</p>\n`
  const described = (field: keyof Rejected['errors']) =>
    errors[field] === undefined ? '' : ` aria-invalid="true" aria-describedby="${field}-problem"`
  const choices = Object.entries(reportReasons).map(
    ([key, label]) =>
      `<label><input type="radio" name="reason" value="${key}" required${sent.get('reason') === key ? ' checked' : ''}> ${escaped(label)}</label>\n`,
  )
  return messagePage(
    `${rejected ? 'Check your report' : 'Report this page'}: ${name}`,
    ["Tell us what's wrong with this page. Its owner won't learn who you are."],
    `<form method="post" action="${bioPath(slug)}/report">
<fieldset${described('reason')}>
<legend>Why are you reporting it?</legend>
${problem('reason')}${choices.join('')}</fieldset>
<label for="words">What should we know? (optional)</label>
${problem('words')}<textarea id="words" name="words" rows="4" maxlength="${REPORT_WORDS}"${described('words')}>
${escaped(sent.get('words') ?? '')}</textarea>
<label for="email">Your email, if we may ask you about it (optional)</label>
${problem('email')}<input type="email" id="email" name="email" autocomplete="email" maxlength="254" value="${escaped(sent.get('email') ?? '')}"${described('email')}>
<button>Send report</button>
</form>
`,
  )
}

export const reportedPage = ({ slug }: { slug: string }): string =>
  messagePage(
    'Thank you for your report',
    ["We'll look at the page. You can close this one."],
    `<p><a href="${bioPath(slug)}">Back to the page</a></p>\n`,
  )

export const enoughReportsPage = (): string =>
  messagePage('Try again later', [
    'We have received many reports in a short time. Yours was not saved. Try again in an hour.',
  ])
