import { Box, Paper, Stack } from '@mantine/core'
import { useLocation, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { LoginPanel } from '../features/auth/login-panel.tsx'
import { takeRememberedPath } from '../lib/remembered-path.ts'
import { useSession } from '../lib/session/session.ts'
import { forgetSignOut } from '../lib/session/sign-out-notice.ts'
import styles from './login.module.css'

/** Signs the user in and opens the page they asked for. */
export function LoginScreen() {
  const router = useRouter()
  const { status } = useSession()
  const errorCode = useLocation({ select: ({ search }) => (search as { error?: unknown }).error })

  // Also runs when another tab signs in, because this tab then has a session, too.
  useEffect(() => {
    if (status !== 'signed-in') return
    forgetSignOut()
    router.history.replace(takeRememberedPath())
  }, [status, router])

  return (
    <Stack pos="relative" align="center" justify="center" mih={{ xs: 'min(76dvh, 720px)' }} pt={{ base: 8, xs: 0 }}>
      <Box
        component="svg"
        visibleFrom="xs"
        className={styles.trace}
        viewBox="0 0 1200 200"
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path d="M0 128h96c19 0 21-44 34-44s20 44 51 44h26c14 0 16-24 26-24s16 24 39 24h40c22 0 25-92 40-92s24 92 60 92h20c15 0 17-30 28-30s17 30 42 30h150c22 0 25-60 40-60s24 60 60 60h110c18 0 20-38 32-38s19 38 48 38h24c24 0 27-104 44-104s26 104 66 104h26c15 0 17-36 28-36s17 36 42 36H1200" />
      </Box>
      <Paper pos="relative" withBorder shadow="lg" radius={14} p={{ base: 20, xs: 30 }} w="100%" maw={412}>
        <LoginPanel errorCode={typeof errorCode === 'string' ? errorCode : null} />
      </Paper>
    </Stack>
  )
}
