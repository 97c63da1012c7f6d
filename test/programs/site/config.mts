import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitepress'

const sidebar = JSON.parse(
  readFileSync(new URL('../reference/typedoc-sidebar.json', import.meta.url), 'utf8'),
)

const page = (text: string, link: string) => ({ text, link })

export default defineConfig({
  title: 'audile',
  description: 'What a piece of music is, for your own files, offline.',
  base: process.env.AUDILE_SITE_BASE ?? '/',
  lastUpdated: false,
  // The programs and the front page are files of the site, and no pages of VitePress.
  ignoreDeadLinks: [/^\/programs\//],
  vite: { publicDir: 'public', build: { chunkSizeWarningLimit: 2_000 } },
  themeConfig: {
    logoLink: { link: '/', target: '_self' },
    search: { provider: 'local' },
    nav: [
      { text: 'Try it', link: '/', target: '_self' },
      page('Guides', '/guides'),
      page('Reference', '/reference/'),
      page('Parameters', '/parameters'),
    ],
    sidebar: {
      '/reference/': sidebar,
      '/': [
        {
          text: 'Guides',
          items: [
            page('All guides', '/guides'),
            page('A player’s library', '/player/'),
            page('A DJ tool', '/dj-table'),
            page('A jukebox', '/jukebox/'),
            page('Songs and catalogs', '/catalogs'),
            page('Identification and references', '/identify'),
            page('In a browser', '/browser/'),
            page('Electron', '/electron/'),
            page('Tests without audio', '/seeded'),
            page('One engine for several processes', '/shared-engine/'),
            page('A fleet', '/fleet/'),
            page('What a fleet can hold', '/fleet/capacity'),
          ],
        },
        {
          text: 'Moving to audile',
          items: [
            page('From Spotify', '/from-spotify'),
            page('From the Echo Nest', '/from-echo-nest'),
            page('From essentia.js, Meyda, music-tempo', '/from-others'),
          ],
        },
        {
          text: 'Reference',
          items: [
            page('Install and bundle', '/install'),
            page('Options', '/options'),
            page('Errors', '/errors'),
            page('Trust', '/trust'),
            page('Figures', '/figures'),
            page('Methods and parameters', '/parameters'),
            page('Classes and functions', '/reference/'),
          ],
        },
      ],
    },
  },
})
