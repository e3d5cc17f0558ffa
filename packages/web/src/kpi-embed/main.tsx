import '../ui/mantine-styles.ts'
import '../ui/inter.css'
import '../ui/tokens.css'
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { lazy, StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { readFragment } from '../features/kpi/kpi-messages.ts'
import { asksAgain, setCredentials } from '../lib/http.ts'
import { watchActivity } from '../lib/session/activity.ts'
import { THEME_KEY } from '../lib/storage.ts'
import { cssVariables, theme } from '../ui/theme.ts'
import { ConsoleChannel } from './console-channel.ts'

/**
 * Entry point of the built-in dashboard, a page in a frame of the console. It has no session, only the token in its
 * address, and asks the console for the next one.
 */

// Not part of what the entry loads: the bundler would put its components into the first chunk of the console, too.
const Dashboard = lazy(() => import('./dashboard.tsx').then((file) => ({ default: file.Dashboard })))

const { pass, question } = readFragment(window.location.hash)
// The token must not stay where it can be copied or restored from the browser's history.
window.history.replaceState(null, '', window.location.pathname)

const consoleChannel = new ConsoleChannel(pass)
setCredentials(consoleChannel.credentials)
// Reading figures counts as activity in the console, so the session must not expire as idle.
watchActivity()
printInLight()

const client = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: 'always',
      retry: (failures, error) => failures < 3 && asksAgain(error),
    },
  },
})

const root = document.getElementById('root')
if (root === null) throw new Error('kpi-embed/index.html has no element with the id "root"')
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={localStorageColorSchemeManager({ key: THEME_KEY })}
      defaultColorScheme="auto"
    >
      <QueryClientProvider client={client}>
        <Suspense>
          <Dashboard consoleChannel={consoleChannel} initial={question} />
        </Suspense>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)

/** Prints in the light theme, whatever theme the screen uses. */
function printInLight(): void {
  const { dataset } = document.documentElement
  let shown: string | undefined
  window.addEventListener('beforeprint', () => {
    shown ??= dataset.mantineColorScheme
    dataset.mantineColorScheme = 'light'
  })
  window.addEventListener('afterprint', () => {
    if (shown !== undefined) dataset.mantineColorScheme = shown
    shown = undefined
  })
}
