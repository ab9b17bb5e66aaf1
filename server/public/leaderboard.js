/**
 * <exchequer-leaderboard realm="…"></exchequer-leaderboard>: a realm's public leaderboard on any page.
 *
 *   <script type="module" src="https://points.example.com/leaderboard.js"></script>
 *   <exchequer-leaderboard realm="demo" period="week" limit="10"></exchequer-leaderboard>
 *
 * Attributes: realm; period (all, week, month); point (a point type id); limit (1 to 100, 10 by default);
 * heading (instead of the realm's name; empty for none); server (the URL of Exchequer, if not the origin of
 * this script). Colours follow the page: set --exchequer-accent, --exchequer-ink, --exchequer-soft,
 * --exchequer-line, or style ::part(heading), ::part(table), ::part(row), ::part(rank), ::part(name),
 * ::part(score). While the page is visible, it follows the leaderboard, and refreshes every minute besides.
 */

const home = new URL('.', import.meta.url).href
const refreshEveryMs = 60_000
const limitByDefault = 10
const longestList = 100

const words = {
  en: {
    rank: 'Rank',
    name: 'Name',
    loading: 'Loading …',
    empty: 'No members are ranked yet.',
    absent: 'This leaderboard is not public.',
    failed: 'The leaderboard is unavailable. Retrying in a minute.',
  },
  de: {
    rank: 'Rang',
    name: 'Name',
    loading: 'Wird geladen …',
    empty: 'Noch ist kein Mitglied platziert.',
    absent: 'Diese Rangliste ist nicht öffentlich.',
    failed: 'Die Rangliste ist gerade nicht erreichbar. In einer Minute wird es wieder versucht.',
  },
}

const style = `
:host { display: block; font: inherit; --ink: var(--exchequer-ink, currentColor);
  --soft: var(--exchequer-soft, color-mix(in srgb, currentColor 75%, transparent));
  --line: var(--exchequer-line, color-mix(in srgb, currentColor 18%, transparent));
  color: var(--ink) }
[aria-live] { --accent: var(--exchequer-accent, var(--realm, #2f6fde)) }
:host([hidden]) { display: none }
[part=heading] { margin: 0 0 .5em; font-weight: 600; font-size: 1.15em }
table { width: 100%; border-collapse: collapse }
th { font-weight: 500; font-size: .85em; color: var(--soft); text-align: start }
td { padding: .45em .6em } th { padding: .45em .7em }
tbody tr { border-top: 1px solid var(--line) }
[part=rank] { width: 3em; color: var(--soft); font-variant-numeric: tabular-nums }
tr[data-top] [part=rank] { box-shadow: inset 3px 0 var(--accent); color: inherit; font-weight: 600 }
tr[data-top] [part=name] { font-weight: 600 }
[part=name] { overflow-wrap: anywhere }
[part=score], th:last-child { text-align: end; white-space: nowrap; font-variant-numeric: tabular-nums }
p { margin: 0; padding: .6em 0; color: var(--soft) }
`

/** An element with attributes and children: strings become text nodes. */
function make(tag, attributes, ...children) {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children)
  return made
}

class ExchequerLeaderboard extends HTMLElement {
  static observedAttributes = ['realm', 'period', 'point', 'limit', 'heading', 'server']

  #root = this.attachShadow({ mode: 'open' })
  #content = make('div', { 'aria-live': 'polite' })
  #timer
  #stream
  #asked = 0
  #follow = () => this.#listen()

  connectedCallback() {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(style)
    this.#root.adoptedStyleSheets = [sheet]
    this.#root.replaceChildren(this.#content)
    this.#say(this.#words.loading)
    void this.#refresh()
    this.#timer = setInterval(() => {
      if (document.visibilityState === 'visible') void this.#refresh()
    }, refreshEveryMs)
    document.addEventListener('visibilitychange', this.#follow)
    this.#listen()
  }

  disconnectedCallback() {
    clearInterval(this.#timer)
    document.removeEventListener('visibilitychange', this.#follow)
    this.#stream?.close()
  }

  attributeChangedCallback(name) {
    if (!this.isConnected) return
    void this.#refresh()
    if (name === 'realm' || name === 'server') this.#listen()
  }

  /** New entries, as long as the page is visible. Where a stream can't be had, the timer is enough. */
  #listen() {
    this.#stream?.close()
    this.#stream = undefined
    const url = this.#url('stream')
    if (!url || document.visibilityState !== 'visible') return
    this.#stream = new EventSource(url)
    this.#stream.onmessage = () => void this.#refresh()
  }

  /** A part of the realm's public board; undefined without a realm. */
  #url(part) {
    const realm = this.getAttribute('realm')
    if (!realm) return undefined
    const server = this.getAttribute('server') ?? home
    return new URL(`boards/${encodeURIComponent(realm)}/${part}`, server.replace(/\/*$/, '/'))
  }

  get #language() {
    const named = this.closest('[lang]')?.getAttribute('lang')?.replaceAll('_', '-') || navigator.language
    // An invalid language tag must not prevent the board from showing.
    return /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(named) ? named : 'en'
  }

  get #words() {
    return words[this.#language.slice(0, 2)] ?? words.en
  }

  async #refresh() {
    // Attributes may change while a request is in progress: only the latest one counts.
    this.#asked += 1
    const asked = this.#asked
    const board = await this.#read().catch(() => 'failed')
    if (asked !== this.#asked) return
    if (typeof board !== 'string') this.#show(board)
    // Old data is better than none.
    else if (board === 'absent' || !this.#root.querySelector('table')) this.#say(this.#words[board])
  }

  async #read() {
    const url = this.#url('leaderboard')
    if (!url) return 'absent'
    for (const [attribute, parameter] of [
      ['period', 'period'],
      ['point', 'realmPointId'],
    ]) {
      const value = this.getAttribute(attribute)
      if (value) url.searchParams.set(parameter, value)
    }
    const answer = await fetch(url, { cache: 'no-cache', credentials: 'omit', referrerPolicy: 'no-referrer' })
    if (answer.ok) return answer.json()
    return answer.status === 404 ? 'absent' : 'failed'
  }

  #say(text) {
    this.#content.replaceChildren(make('p', {}, text))
  }

  #show({ realm, point, members }) {
    const accent = realm.colours?.primary ?? Object.values(realm.colours ?? {})[0]
    if (accent) this.#content.style.setProperty('--realm', accent)
    const heading = this.getAttribute('heading') ?? realm.name
    const title = heading
      ? [make('div', { part: 'heading', role: 'heading', 'aria-level': '2' }, heading)]
      : []
    const limit = Math.min(Number(this.getAttribute('limit')) || limitByDefault, longestList)
    const listed = members.slice(0, Math.max(1, limit))
    const body = listed.length > 0 ? this.#table(listed, point) : make('p', {}, this.#words.empty)
    this.#content.replaceChildren(...title, body)
  }

  #table(members, point) {
    const numbers = new Intl.NumberFormat(this.#language)
    const unit = [point.emoji, point.name].filter(Boolean).join(' ')
    const heads = [this.#words.rank, this.#words.name, unit].map((text) => make('th', { scope: 'col' }, text))
    const rows = members.map(({ rank, name, tokens }) =>
      make(
        'tr',
        { part: 'row', ...(rank <= 3 ? { 'data-top': '' } : {}) },
        make('td', { part: 'rank' }, numbers.format(rank)),
        make('td', { part: 'name' }, name),
        make('td', { part: 'score' }, numbers.format(tokens)),
      ),
    )
    return make(
      'table',
      { part: 'table' },
      make('thead', {}, make('tr', {}, ...heads)),
      make('tbody', {}, ...rows),
    )
  }
}

if (!customElements.get('exchequer-leaderboard'))
  customElements.define('exchequer-leaderboard', ExchequerLeaderboard)
