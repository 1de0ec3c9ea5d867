import type { FigureKey } from './names.ts'
import { isOfPosts } from './postColumns.ts'
import type { PlatformKey } from '../platforms/rules.ts'

/** What a platform's posts are listed by: what people did with them where that can be worked out, else what it reports. */
export const bestBy = (platform: PlatformKey, isApart: boolean): { by: FigureKey; beside: FigureKey[] } =>
  isApart || !isOfPosts(platform, 'engagements')
    ? { by: isOfPosts(platform, 'views') ? 'views' : 'reactions', beside: ['reactions', 'comments'] }
    : {
        by: 'engagements',
        beside: isOfPosts(platform, 'engagementRate')
          ? ['viewsAndImpressions', 'engagementRate']
          : ['reactions', 'comments'],
      }
