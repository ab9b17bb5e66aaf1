/* The script of the guide: light or dark, a phone's menu, copying, the search. Nothing is sent anywhere. */
const page = document.documentElement
page.classList.add('script')

const kept = {
  get: () => {
    try {
      return localStorage.getItem('theme')
    } catch {
      return null // storage is blocked: use the system's theme
    }
  },
  set: (theme) => {
    try {
      localStorage.setItem('theme', theme)
    } catch {}
  },
}
// Before the first paint, so that the page does not flash.
if (kept.get()) page.dataset.theme = kept.get()

function startTheme() {
  const button = document.querySelector('.theme')
  const isDark = () =>
    (page.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark'
  const show = () => {
    button.textContent = isDark() ? '☀' : '☾'
    button.setAttribute('aria-label', isDark() ? 'Switch to light mode' : 'Switch to dark mode')
  }
  button.addEventListener('click', () => {
    page.dataset.theme = isDark() ? 'light' : 'dark'
    kept.set(page.dataset.theme)
    show()
  })
  show()
}

function startMenu() {
  const button = document.querySelector('.menu')
  const navigation = document.querySelector('#navigation')
  const show = (open) => {
    navigation.classList.toggle('open', open)
    button.setAttribute('aria-expanded', String(open))
    button.textContent = open ? 'Close' : 'Menu'
  }
  button.addEventListener('click', () => show(!navigation.classList.contains('open')))
  addEventListener('keydown', ({ key }) => key === 'Escape' && show(false))
  const here = navigation.querySelector('[aria-current]')
  if (here && here.offsetTop > navigation.clientHeight - 80)
    navigation.scrollTop = here.offsetTop - navigation.clientHeight / 2
}

function startCopying() {
  for (const block of document.querySelectorAll('.code')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = 'Copy'
    const say = (word) => {
      button.textContent = word
    }
    button.addEventListener('click', () => {
      const copied = navigator.clipboard.writeText(block.querySelector('code').textContent)
      copied.then(() => say('Copied')).catch(() => say('Copy failed'))
      setTimeout(say, 1500, 'Copy')
    })
    block.append(button)
  }
}

/** Marks the heading of the section in view. */
function startContents() {
  const links = [...document.querySelectorAll('.contents a')]
  const headings = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))))
  const show = () => {
    const last = headings.findLastIndex((heading) => heading.getBoundingClientRect().top < 120)
    for (const link of links) link.removeAttribute('aria-current')
    links[Math.max(last, 0)].setAttribute('aria-current', 'true')
  }
  if (links.length > 0) addEventListener('scroll', show, { passive: true })
  if (links.length > 0) show()
}

/* The search: matches prefixes of words; ranked by the number of matches, then by where they are. */
const escapeWord = (word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

function scoreOf([, title, heading, text], patterns) {
  let score = 0
  for (const pattern of patterns) {
    const points =
      (pattern.test(title) ? 8 : 0) + (pattern.test(heading) ? 12 : 0) + (pattern.test(text) ? 1 : 0)
    if (points > 0) score += 100 + points
  }
  return score
}

function search(asked) {
  const words = asked.toLowerCase().match(/[\p{L}\p{N}_./-]+/gu) ?? []
  const patterns = words.map((word) => new RegExp(`(^|[^\\p{L}\\p{N}])${escapeWord(word)}`, 'iu'))
  if (patterns.length === 0) return []
  return globalThis.searchIndex
    .map((piece) => ({ piece, score: scoreOf(piece, patterns), words }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, 12)
}

/** A line of text around the first match, with the matches highlighted. */
function excerpt(text, words) {
  const at = Math.max(text.toLowerCase().indexOf(words[0]), 0)
  const start = at < 50 ? 0 : text.indexOf(' ', at - 50) + 1
  const line = document.createElement('small')
  const whole = text.length <= start + 130
  const seen = whole ? text.slice(start) : text.slice(start, text.lastIndexOf(' ', start + 130))
  const parts = seen.split(new RegExp(`(${words.map(escapeWord).join('|')})`, 'i'))
  for (const [index, part] of parts.entries()) {
    const piece = document.createElement(index % 2 === 0 ? 'span' : 'mark')
    piece.textContent = part
    line.append(piece)
  }
  if (!whole) line.append(' …')
  return line
}

function shown({ piece: [place, title, heading, text], words }) {
  const link = document.createElement('a')
  link.href = page.dataset.toRoot + place
  link.append(heading === '' || heading === title ? title : `${title} › ${heading}`, excerpt(text, words))
  return link
}

function startSearch() {
  const input = document.querySelector('.search input')
  const found = document.querySelector('#found')
  const show = () => {
    const asked = input.value.trim()
    found.hidden = asked === '' || !globalThis.searchIndex
    if (found.hidden) return
    const hits = search(asked).map(shown)
    const none = document.createElement('p')
    none.textContent = `Nothing has “${asked}”.`
    found.replaceChildren(...(hits.length > 0 ? hits : [none]))
  }
  const load = () => {
    if (document.querySelector('#search-index')) return
    const script = document.createElement('script')
    script.id = 'search-index'
    script.src = `${page.dataset.toRoot}search-index.js`
    script.addEventListener('load', show)
    document.head.append(script)
  }
  input.addEventListener('focus', load)
  input.addEventListener('input', show)
  addEventListener('keydown', (event) => {
    const typing = /^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName)
    if (event.key === '/' && !typing) {
      event.preventDefault()
      input.focus()
    }
    if (event.key === 'Escape') found.hidden = true
  })
  document.querySelector('.search').addEventListener('keydown', (event) => {
    const links = [input, ...found.querySelectorAll('a')]
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Enter' && document.activeElement === input) links[1]?.click()
    if (!step || found.hidden) return
    event.preventDefault()
    links[(links.indexOf(document.activeElement) + step + links.length) % links.length].focus()
  })
  addEventListener('click', ({ target }) => {
    if (!target.closest('.search')) found.hidden = true
  })
}

addEventListener('DOMContentLoaded', () => {
  startTheme()
  startMenu()
  startCopying()
  startContents()
  startSearch()
})
