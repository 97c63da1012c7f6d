// Keeps the files of the page, so that it opens without a network after the first visit.
const VERSION = 'audile-page'
const FILES = ['./', 'app.mjs', 'worker.mjs', 'style.css']

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(FILES)))
  self.skipWaiting()
})

self.addEventListener('activate', (event) => {
  const drop = async () => {
    const names = await caches.keys()
    const old = names.filter((name) => name.startsWith('audile-page') && name !== VERSION)
    await Promise.all(old.map((name) => caches.delete(name)))
    await self.clients.claim()
  }
  event.waitUntil(drop())
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  if (request.method !== 'GET') return
  const answer = async () => {
    const cache = await caches.open(VERSION)
    return (await cache.match(request, { ignoreSearch: true })) ?? fetch(request)
  }
  event.respondWith(answer())
})
