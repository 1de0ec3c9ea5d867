import { Page } from '#web/ui/Page.tsx'

export default function PostsScreen() {
  return <Page title="Posts">This screen is not here yet.</Page>
}
