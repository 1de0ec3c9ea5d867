/** What popovers and menus look like. */
export const floatingClass = 'z-50 rounded-md border border-line bg-raised shadow-2 animate-appear'
