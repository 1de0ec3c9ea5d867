import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { chunkNames, filesAhead, screenFiles } from './vite.chunks.ts'

/** Where `npm run dev` runs the server; the development server passes /api and friends on to it. */
const api = process.env.ROOKERY_API ?? 'http://127.0.0.1:3001'

const inWeb = (file: string) => join(import.meta.dirname, 'web', file)

export default defineConfig({
  root: 'web',
  plugins: [
    react(),
    tailwindcss(),
    outlineBeforeStyles(),
    withoutJsonSchema(),
    withoutStringMethods(),
    screenFiles(),
    compiledAhead(),
  ],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // the first browsers with light-dark(), which both themes are written with
    cssTarget: ['chrome123', 'safari17.5', 'firefox120'],
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // full paths: the development server looks for them in `root`, and without them finds packages only when they're needed
      input: { index: inWeb('index.html'), sw: inWeb('serviceWorker/worker.ts') },
      output: {
        entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js'),
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ debugName: 'by page', name: chunkNames() }],
        },
      },
    },
    chunkSizeWarningLimit: 600,
  },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/media', '/healthz', '/readyz', '^/[bs]/'].map((path) => [path, { target: api, changeOrigin: false }]),
    ),
  },
})

/**
 * Has Chromium compile all functions of a file when it's loaded, which it does beside the page, rather than each when it's first called,
 * which is when someone waits for it: in the files of screens that are loaded before they're opened (web/app/shell/screensAhead.ts). Those
 * of first visits get no faster by it.
 */
function compiledAhead(): Plugin {
  return {
    name: 'compiled-ahead',
    apply: 'build',
    generateBundle: {
      // only the first line counts, and Vite adds its own
      order: 'post',
      handler(_, bundle) {
        for (const name of filesAhead(bundle)) {
          const file = bundle[name]
          if (file?.type === 'chunk') file.code = `//# allFunctionsCalledOnLoad\n${file.code}`
        }
      },
    },
  }
}

/**
 * Lets browsers draw the outline of index.html at once: a stylesheet in the head would have to arrive before. Of the
 * scripts only the last starts the app, and names the build; it imports the others.
 */
function outlineBeforeStyles(): Plugin {
  const styles = /\s*<link rel="stylesheet"[^>]*>/g
  const importedScripts = /<script type="module" crossorigin src="([^"]+)"><\/script>(?=\s*<script type="module")/g
  return {
    name: 'outline-before-styles',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html) =>
        html
          .replaceAll(styles, '')
          .replace('<noscript>', `${(html.match(styles) ?? []).join('').trim()}\n    <noscript>`)
          .replaceAll(importedScripts, '<link rel="modulepreload" crossorigin href="$1">'),
    },
  }
}

/**
 * Leaves out how Zod writes JSON Schema, which every schema brings along and only the server uses: each function of it
 * answers nothing.
 */
function withoutJsonSchema(): Plugin {
  return {
    name: 'without-json-schema',
    apply: 'build',
    transform: {
      filter: { id: /\/zod\/v4\/core\/(?:json-schema-processors|to-json-schema)\.js$/ },
      handler(code) {
        const names = [...code.matchAll(/^export (?:const|function|class) (\w+)/gm)].map(([, name]) => name)
        if (names.length < 3) this.error('Zod has moved what writes JSON Schema')
        return {
          code: `const nothing = () => undefined\nexport { ${names.map((name) => `nothing as ${name}`).join(', ')} }`,
          map: null,
        }
      },
    },
  }
}

/**
 * Leaves out the formats that Zod's strings have as methods, such as `z.string().email()`: each would bring its check
 * along although nothing calls it. `z.email()` and its like work; a method throws when its module is loaded.
 */
function withoutStringMethods(): Plugin {
  return {
    name: 'without-string-methods',
    apply: 'build',
    transform: {
      filter: { id: /\/zod\/v4\/classic\/schemas\.js$/ },
      handler(code) {
        const method = /return this\.check\(core\._\w+\(Zod\w+, params\)\);/g
        if ((code.match(method) ?? []).length < 20) this.error("Zod has moved the methods of strings' formats")
        return { code: code.replaceAll(method, "throw new Error('Use z.email() and its like');"), map: null }
      },
    },
  }
}
