import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import type { LiveHandler } from '../lib/live-handler.ts'
import { THEME_KEY } from '../lib/storage.ts'
import { ConfirmDialog } from '../ui/confirm.tsx'
import { cssVariables, theme } from '../ui/theme.ts'
import { LiveProvider } from './live/live-provider.tsx'
import { router } from './router.tsx'

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
          <ConfirmDialog />
          {/* As many as can fail at start-up. */}
          <Notifications position="bottom-right" limit={5} />
        </LiveProvider>
      </QueryClientProvider>
    </MantineProvider>
  )
}
