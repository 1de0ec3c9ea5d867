import { sql, type RawBuilder } from 'kysely'
import { maySeePosts } from '../access/visiblePosts.ts'
import type { PictureLink } from '../channels/foreignPictures.ts'
import type { CallerProject } from '../http/route.ts'

/** What finds posts' pictures: `link` for those on platforms, and whether the caller's role opens posts, whose files it then sees. */
export type Pictures = { link: PictureLink; mayOpen: boolean }

/** The pictures that a role sees. */
export const picturesFor = (project: Pick<CallerProject, 'permissions'>, link: PictureLink): Pictures => ({
  link,
  mayOpen: maySeePosts(project),
})

/** The version of the post `p` of a query if one of its files has an image, as its cover shows it (media/preview.ts); else null. */
export const coverVersion = (pictures: Pictures | undefined): RawBuilder<number | null> =>
  pictures?.mayOpen
    ? sql`case when exists (
        select from jsonb_path_query(p.contents, '$[*].media[*].assetId ? (@ like_regex "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")') i
          join asset a on a.org_id = p.org_id and a.project_id = p.project_id and a.id = (i #>> '{}')::uuid
        where a.state = 'ready' and (a.content_type like 'image/%' or a.thumbnail_key is not null)) then p.version end`
    : sql`null::int`

/** The address of a small copy of a post's first file with an image, which its lists show, too. */
export const coverAddress = (post: { orgId: string; projectId: string; postId: string }, version: number): string =>
  `/api/${post.orgId}/project/${post.projectId}/post/${post.postId}/cover?version=${version}`
