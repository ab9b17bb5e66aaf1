/** Keeps a public leaderboard's page current: when there are new entries, it is loaded again and replaced. */

const main = document.querySelector('main')
const streamUrl = `${location.pathname.replace(/\/+$/, '')}/stream`

let stream
let isLoading = false
let isStale = false

async function refresh() {
  isStale = true
  if (isLoading) return
  isLoading = true
  while (isStale) {
    isStale = false
    const answer = await fetch(location.href, { cache: 'no-cache' }).catch(() => undefined)
    if (!answer?.ok) break
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const fresh = page.querySelector('main')
    // Focus stays on the link that has it: only what changed is replaced.
    for (const part of ['header p', '.card']) {
      const [old, next] = [main?.querySelector(part), fresh?.querySelector(part)]
      if (old && next && old.innerHTML !== next.innerHTML) old.replaceChildren(...next.childNodes)
    }
  }
  isLoading = false
}

/** A page that is not visible holds no connection. */
function follow() {
  stream?.close()
  stream = undefined
  if (document.visibilityState !== 'visible') return
  stream = new EventSource(streamUrl)
  stream.onmessage = () => void refresh()
}

document.addEventListener('visibilitychange', () => {
  follow()
  if (document.visibilityState === 'visible') void refresh()
})
follow()
