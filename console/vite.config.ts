import { fileURLToPath } from 'node:url'
import tailwind from '@tailwindcss/vite'
import { defineConfig } from 'vite'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

// biome-ignore lint/style/noDefaultExport: Vite reads its configuration so
export default defineConfig({
  root: here('.'),
  // Relative, so that the server can serve it under any path: index.html says which, in its <base>.
  base: './',
  plugins: [tailwind()],
  resolve: {
    alias: {
      '@exchequer/sdk/merges': here('../sdk/src/merges.ts'),
      '@exchequer/sdk/awards': here('../sdk/src/awards.ts'),
      '@exchequer/sdk/lapse': here('../sdk/src/lapse.ts'),
      '@exchequer/sdk/verify': here('../sdk/src/verify.ts'),
      '@exchequer/sdk/wallets': here('../sdk/src/wallets.ts'),
      '@exchequer/sdk': here('../sdk/src/index.ts'),
    },
  },
  build: {
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // Its polyfill is inline script, which the content security policy forbids, and no browser here needs it.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    manifest: true,
    // 'use client' means nothing here.
    rolldownOptions: { checks: { moduleLevelDirective: false } },
  },
  server: { proxy: { '^/(api|operator|healthz|readyz|console/(session|sign-in))': 'http://127.0.0.1:8080' } },
})
