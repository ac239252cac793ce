import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The libraries every page needs: they change rarely, so they stay cached through our own releases. */
const foundation =
  /node_modules\/(react|react-dom|scheduler|@tanstack\/(react-router|router-core|history|react-store|store|react-query|query-core))\//

export default defineConfig({
  plugins: [react(), tailwind()],
  build: {
    outDir: 'dist/web',
    manifest: true,
    target: 'es2023',
    rolldownOptions: {
      output: {
        codeSplitting: { groups: [{ name: 'foundation', test: foundation }] },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': { target: process.env.ATRIUM_API ?? 'http://127.0.0.1:3000' } },
  },
  preview: {
    host: '127.0.0.1',
    proxy: { '/api': { target: process.env.ATRIUM_API ?? 'http://127.0.0.1:3000' } },
  },
})
