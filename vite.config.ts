import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { slimContracts } from './scripts/slim-contracts.ts'

/** The libraries of every page change rarely: apart, they stay cached through our own releases. */
const foundation =
  /node_modules\/(react|react-dom|scheduler|use-sync-external-store|i18next|react-i18next|@tanstack\/(react-router|router-core|history|react-store|store))\//

const api = { '/api': { target: process.env.ATRIUM_API ?? 'http://127.0.0.1:3000' } }

export default defineConfig({
  plugins: [react(), tailwind(), slimContracts()],
  // Workers load what they need when they need it.
  worker: { format: 'es' },
  build: {
    outDir: 'dist/web',
    manifest: true,
    target: 'es2023',
    modulePreload: { polyfill: false },
    // Some grammars of the code highlighter are large; each is loaded only for its language.
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // The first page has no schema (see slim-contracts); the chat reads its stream with them.
            { name: 'schemas', test: /node_modules\/zod\/|src\/shared\/primitives/, priority: 4 },
            { name: 'foundation', test: foundation, priority: 3 },
            // The entry itself stays an entry: the manifest and the page name it.
            // What many views share is one file: dozens of small ones would compress badly.
            {
              name: 'base',
              test: /src\/web\/(ui|lib|i18n)\/|lucide-react\/dist/,
              minShareCount: 8,
              priority: 1,
            },
            // What the chat shares with others is its own.
            { name: 'chat', test: /src\/web\/(messages|composer)\//, minShareCount: 2, priority: 1 },
            { name: 'start', tags: ['$initial'], test: /^(?!.*(\/main\.tsx|\/index\.html))/, priority: 2 },
          ],
        },
      },
    },
  },
  server: { host: '127.0.0.1', proxy: api },
  preview: { host: '127.0.0.1', proxy: api },
})
