import { DoingCode, doings } from './calls.ts'
import { about, plain, Quote } from './define.ts'

/* Pinterest's refusals. */
export const pinterest = {
  'pinterest-sandbox-left': plain(
    "This channel is still connected to Pinterest's sandbox, which the app no longer uses.",
    'Reconnect the channel to publish for real.',
  ),
  'pinterest-board-gone': plain('This board no longer exists on Pinterest.', 'Choose another board.'),
  'pinterest-pin-gone': plain(
    'This Pin, or its board, no longer exists on Pinterest.',
    'Check on Pinterest whether both are still there.',
  ),
  'pinterest-no-board': plain('A Pin needs a board.', 'Choose a board and send it again.'),
  'pinterest-no-media': plain('A Pin needs a picture or a video.', 'Add one and send it again.'),
  'pinterest-not-editable': plain(
    "The picture or video of a Pin can't be changed on Pinterest.",
    'Delete the Pin and send a new one.',
  ),
  'pinterest-video': plain(
    "Pinterest couldn't use the video.",
    'Save it as MP4 with H.264, 4 seconds to 15 minutes long, then send it again.',
  ),
  'pinterest-upload-refused': plain("Pinterest didn't accept the video.", "We'll upload it again automatically."),
  'pinterest-trial-access': plain(
    "Pinterest didn't accept this because its app has trial access only.",
    'Request standard access from Pinterest. Until then, turn on the sandbox of the app in Platform setup and reconnect the channel.',
  ),
  'pinterest-not-allowed': about(
    { doing: DoingCode, words: Quote },
    ({ doing, words }) => `Pinterest refused to ${doings[doing]}: ${words}`,
    'Check that this account may add Pins to the board.',
  ),
}
