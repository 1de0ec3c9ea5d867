/** The rows of the page that is asked for, as a statement takes them. */
export const limitOffset = ({ page, limit }: { page: number; limit: number }): { limit: number; offset: number } => ({
  limit,
  offset: (page - 1) * limit,
})
