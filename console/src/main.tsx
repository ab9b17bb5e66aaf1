import { CSPProvider } from '@base-ui/react/csp-provider'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { AppProvider, makeApp } from './app.tsx'
import { arrive, isLink } from './arrival.ts'
import { placeOf } from './place.ts'
import { makeRouter } from './router.tsx'
import './style.css'

const place = placeOf(document.baseURI)
const app = makeApp(place, arrive(place.path))
const router = makeRouter(place.path)

// A link pasted into a tab of the console changes only the hash, which loads nothing by itself.
addEventListener('hashchange', () => {
  if (isLink(location.hash)) location.reload()
})

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <AppProvider app={app}>
          <RouterProvider router={router} />
        </AppProvider>
      </CSPProvider>
    </StrictMode>,
  )
