import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react'
import { type Format, formatOf } from './format.ts'
import { en, type Words } from './words/en.ts'

/** Preferences stored in this browser; no data of a realm. */
export type Theme = 'system' | 'light' | 'dark'
export const languages = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof languages

type Preferences = {
  readonly theme: Theme
  readonly language: Language
  readonly words: Words
  readonly format: Format
  readonly setTheme: (theme: Theme) => void
  readonly setLanguage: (language: Language) => void
}

const Context = createContext<Preferences | undefined>(undefined)

export function usePreferences(): Preferences {
  const preferences = useContext(Context)
  if (!preferences) throw new Error('no preferences around this component')
  return preferences
}
export const useWords = (): Words => usePreferences().words
export const useFormat = (): Format => usePreferences().format

function readStored(name: string): string | null {
  try {
    return localStorage.getItem(`exchequer.${name}`)
  } catch {
    return null
  }
}

function store(name: string, value: string): void {
  try {
    localStorage.setItem(`exchequer.${name}`, value)
  } catch {
    // Where storage is blocked, a choice lasts until the page is closed.
  }
}

const isTheme = (text: string | null): text is Theme => text === 'light' || text === 'dark'
const isLanguage = (text: string | null): text is Language => text !== null && text in languages

function firstLanguage(): Language {
  const stored = readStored('language')
  if (isLanguage(stored)) return stored
  const wished = navigator.languages.map((one) => one.slice(0, 2)).find(isLanguage)
  return wished ?? 'en'
}

/** English is in the first bundle; other languages load on demand. */
async function loadWords(language: Language): Promise<Words> {
  return language === 'de' ? (await import('./words/de.ts')).de : en
}

export function PreferencesProvider({ children }: { readonly children: ReactNode }) {
  const [theme, setTheme] = useState<Theme>(() => {
    const stored = readStored('theme')
    return isTheme(stored) ? stored : 'system'
  })
  const [language, setLanguage] = useState(firstLanguage)
  const [words, setWords] = useState<Words | undefined>(language === 'en' ? en : undefined)
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme
  }, [theme])
  useEffect(() => {
    let wanted = true
    document.documentElement.lang = language
    loadWords(language).then(
      (loaded) => wanted && setWords(loaded),
      () => wanted && setWords(en),
    )
    return () => {
      wanted = false
    }
  }, [language])
  const chooseTheme = useCallback((chosen: Theme) => {
    store('theme', chosen)
    setTheme(chosen)
  }, [])
  const chooseLanguage = useCallback((chosen: Language) => {
    store('language', chosen)
    setLanguage(chosen)
  }, [])
  const format = useMemo(() => formatOf(localeOf(language)), [language])
  const value = useMemo(
    () => words && { theme, language, words, format, setTheme: chooseTheme, setLanguage: chooseLanguage },
    [theme, language, words, format, chooseTheme, chooseLanguage],
  )
  return value ? <Context value={value}>{children}</Context> : null
}

/** The browser's regional variant of the language, so that dates look as they do elsewhere. */
const localeOf = (language: Language): string =>
  navigator.languages.find((one) => one.slice(0, 2) === language) ?? language
