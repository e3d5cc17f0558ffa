import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import type { LiveHandler } from '../lib/live-handler.ts'
import { useSession } from '../lib/session/session.ts'
import { THEME_KEY } from '../lib/storage.ts'
import { cssVariables, theme } from '../ui/theme.ts'
import { LiveProvider } from './live/live-provider.tsx'
import { router } from './router.tsx'

// The login asks nothing twice, and dialogs are 15 kB.
const ConfirmDialog = lazy(() => import('../ui/overlay/confirm.tsx').then((file) => ({ default: file.ConfirmDialog })))

const colorSchemes = localStorageColorSchemeManager({ key: THEME_KEY })

/** Everything that all screens stand on. */
export function App({ client, liveHandlers }: { client: QueryClient; liveHandlers: readonly LiveHandler[] }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorSchemes}
      defaultColorScheme="auto"
    >
      <QueryClientProvider client={client}>
        <LiveProvider handlers={liveHandlers}>
          <RouterProvider router={router} />
          <Questions />
          {/* As many as can fail at start-up. */}
          <Notifications position="bottom-right" limit={5} />
        </LiveProvider>
      </QueryClientProvider>
    </MantineProvider>
  )
}

/** What stops a person before something is done: only who is signed in can do anything. */
function Questions() {
  const { status } = useSession()
  if (status !== 'signed-in') return null
  return (
    <Suspense>
      <ConfirmDialog />
    </Suspense>
  )
}
