import { UprightCard } from './UprightCard.tsx'
import type { Previewed } from './previewed.ts'

export function TikTokCard({ post }: { post: Previewed }) {
  return (
    <UprightCard
      post={{ ...post, text: [post.title, post.text].filter(Boolean).join('\n') }}
      missing="Attach a video or images"
    />
  )
}
