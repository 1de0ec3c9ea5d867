import { mailMomentText } from '#contract/format.ts'
import { excerptText } from '#contract/postLists.ts'
import { webLinks } from '#contract/webLinks.ts'
import type { Mail } from '../mail/mailer.ts'
import { mail } from '../mail/template.ts'

/** How many days an external approver's link works. */
export const LINK_DAYS = 14

export type AskedPost = { token: string; excerpt: string; channel: string; dueAt: Date | null; zone: string }
export type OutsideLetter = {
  email: string
  name: string
  sender: string
  orgName: string
  projectName: string
  again: boolean
  posts: readonly AskedPost[]
}

/** Asks an external approver: a link for each post, for them alone. */
export function approvalMail(
  { email, name, sender, orgName, projectName, again, posts }: OutsideLetter,
  publicUrl: string,
): Mail {
  const what = posts.length === 1 ? 'a post' : `${posts.length} posts`
  const subject = again ? `Reminder: ${sender} requested your approval` : `${sender} requested your approval`
  return mail(email, subject, [
    `Hello ${name},`,
    `${sender} from ${orgName} asked you to approve ${what} in the project "${projectName}".`,
    ...posts.map(({ token, excerpt, channel, dueAt, zone }) => ({
      title: excerptText(excerpt),
      about: [channel, dueAt ? mailMomentText(dueAt, zone) : undefined]
        .filter((part) => part !== undefined)
        .join(' · '),
      text: '',
      link: `${publicUrl}${webLinks.approve(token)}`,
      label: 'Review post',
    })),
    {
      small: `You don't need an account, and opening ${posts.length === 1 ? 'the link' : 'a link'} doesn't decide anything. ${posts.length === 1 ? 'The link is' : 'Links are'} only for you. ${posts.length === 1 ? 'It works' : 'They work'} for ${LINK_DAYS} days, or until the post is decided on or changed.`,
    },
  ])
}
