import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { asksAgain } from '../lib/http.ts'
import type { LiveHandler } from '../lib/live-handler.ts'
import { useSession } from '../lib/session/session.ts'
import { THEME_KEY } from '../lib/storage.ts'
import { cssVariables, theme } from '../ui/theme.ts'
import { LiveProvider } from './live/live-provider.tsx'
import { router } from './router.tsx'

// Loaded lazily: the login never asks for confirmation, and dialogs are 15 kB.
const ConfirmDialog = lazy(() => import('../ui/overlay/confirm.tsx').then((file) => ({ default: file.ConfirmDialog })))

const colorSchemes = localStorageColorSchemeManager({ key: THEME_KEY })

/** Provides everything that all screens depend on. */
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
          <Messages />
        </LiveProvider>
      </QueryClientProvider>
    </MantineProvider>
  )
}

/**
 * Shows as many messages as can fail at startup, in a stack: below each other they would cover what can be pressed.
 * `header.module.css` places them.
 */
function Messages() {
  const fitsHeader = useMediaQuery('(width >= 1000px)', true, { getInitialValueInEffect: false })
  return (
    <Notifications
      position={fitsHeader ? 'top-center' : 'bottom-center'}
      layout="stacked"
      limit={5}
      containerWidth={fitsHeader ? 560 : 440}
    />
  )
}

/** Confirmation dialogs, only needed once a user is signed in. */
function Questions() {
  const { status } = useSession()
  if (status !== 'signed-in') return null
  return (
    <Suspense>
      <ConfirmDialog />
    </Suspense>
  )
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // `always`: without internet access the server may still be reachable in the local network.
      queries: { retry: (failures, error) => failures < 2 && asksAgain(error), networkMode: 'always', staleTime: 5000 },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}
