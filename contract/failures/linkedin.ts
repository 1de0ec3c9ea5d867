import { DoingCode, doings } from './calls.ts'
import { about, plain } from './define.ts'

/* LinkedIn's refusals. */
export const linkedin = {
  'linkedin-role-lost': plain(
    'The person who connected this Page may no longer publish to it.',
    'Ask an admin of the Page to reconnect the channel.',
  ),
  'linkedin-sixty-days': plain('LinkedIn ends a sign-in after 60 days.', 'Reconnect the channel.'),
  'linkedin-no-people-search': plain(
    "Only channels connected with LinkedIn's Community Management API can look up Pages, and no app can look up members. Add the mention on LinkedIn after publishing.",
    '',
  ),
  'linkedin-posts-closed': plain(
    "LinkedIn lets apps read the posts of Pages only, so we can't find out whether it was published.",
    'Check your profile on LinkedIn, then tell us here whether the post is there.',
  ),
  'linkedin-comments-closed': plain(
    "LinkedIn lets apps read the comments of Pages only, so we can't find out whether it was published.",
    'Check the post on LinkedIn, then tell us here whether the comment is there.',
  ),
  'linkedin-profile-inbox': plain(
    'LinkedIn lets apps read the comments of Pages only.',
    'You can reply to comments on your profile on LinkedIn.',
  ),
  'linkedin-text-too-long': plain(
    'A text is longer than LinkedIn accepts.',
    'Shorten it. Some characters, such as brackets and underscores, may count twice.',
  ),
  'linkedin-profile-posts-closed': plain(
    "LinkedIn doesn't let tools list the posts of a profile.",
    "You'll find here what is published from Rookery. To see all posts, connect a LinkedIn Page.",
  ),
  'linkedin-version': plain(
    'LinkedIn no longer supports the version of its API that this installation uses.',
    'Ask your Rookery administrator to update Rookery.',
  ),
  'linkedin-permission-missing': about(
    { doing: DoingCode },
    ({ doing }) => `LinkedIn didn't give us permission to ${doings[doing]}.`,
    'Reconnect the channel and keep all permissions on. To publish to a Page, the person who connects it needs to be an admin there.',
  ),
  'linkedin-file': plain(
    "LinkedIn couldn't use a file of this post.",
    'Save pictures as JPEG or PNG, videos as MP4 with H.264 and documents as PDF, then send the post again.',
  ),
}
