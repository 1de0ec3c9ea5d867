import { about, Name, plain } from './define.ts'

const SEE = 'Check it in Ads Manager, or connect the channel again.'

/* What keeps a post from being promoted, and what became of a promotion. */
export const boosts = {
  'boost-post-not-live': plain('Only a published post can be promoted.', "Come back once it's live."),
  'boost-post-type': about(
    { platform: Name, postType: Name },
    ({ platform, postType }) => `${platform} doesn't promote a ${postType} once it's published.`,
    '',
  ),
  'boost-no-channel': plain("This post's channel was disconnected.", 'Connect it again to promote its posts.'),
  'boost-other-connection': about(
    { way: Name },
    ({ way }) => `Promoting needs a connection as ${way}. This channel was connected without it.`,
    ({ way }) => `Reconnect as ${way}.`,
  ),
  'boost-permission-missing': about(
    { platform: Name, permissions: Name, way: Name },
    ({ platform, permissions }) => `${platform} didn't let Rookery ${permissions}.`,
    ({ way }) => `Reconnect as ${way} and keep all permissions on.`,
  ),
  'boost-signed-out': about(
    { way: Name },
    () => 'The channel is signed out.',
    ({ way }) => `Reconnect as ${way}.`,
  ),
  'boost-channel-disconnected': plain("The channel was disconnected, so we can't see this promotion anymore.", SEE),
  'boost-end-unconfirmed': plain(
    'The channel was disconnected before the platform confirmed the end of this promotion.',
    SEE,
  ),
  'boost-post-deleted': plain('The post was deleted, so we stopped its promotion.', ''),
  'boost-deleted': plain('This promotion was deleted in Ads Manager.', ''),
  'boost-unknown': plain("We don't know whether this promotion ran.", 'Check it in Ads Manager.'),
}
