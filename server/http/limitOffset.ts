/** A page as `limit` and `offset`. */
export const limitOffset = ({ page, limit }: { page: number; limit: number }): { limit: number; offset: number } => ({
  limit,
  offset: (page - 1) * limit,
})
