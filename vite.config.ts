import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Where `npm run dev` runs the server; the development server passes /api and friends on to it. */
const api = process.env.ROOKERY_API ?? 'http://127.0.0.1:3001'

export default defineConfig({
  root: 'web',
  plugins: [react(), tailwindcss()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // the first browsers with light-dark(), which both themes are written with
    cssTarget: ['chrome123', 'safari17.5', 'firefox120'],
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 600,
  },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/media', '/healthz', '/readyz'].map((path) => [path, { target: api, changeOrigin: false }]),
    ),
  },
})
