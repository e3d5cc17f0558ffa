import { useLocation, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { LoginPanel } from '../features/auth/login-panel.tsx'
import { takeRememberedPath } from '../lib/remembered-path.ts'
import { forgetSignOut } from '../lib/session/sign-out-notice.ts'
import { useSession } from '../lib/session/use-session.ts'
import styles from './login.module.css'

/** Signing in. Leads on to where the person wanted to go. */
export function LoginScreen() {
  const router = useRouter()
  const { status } = useSession()
  const errorCode = useLocation({ select: ({ search }) => (search as { error?: unknown }).error })

  // Also when another tab signed in: this one has a session then, too.
  useEffect(() => {
    if (status !== 'signed-in') return
    forgetSignOut()
    router.history.replace(takeRememberedPath())
  }, [status, router])

  return (
    <div className={styles.place}>
      <svg className={styles.trace} viewBox="0 0 1200 200" preserveAspectRatio="none" aria-hidden="true">
        <path d="M0 120h250l18-26 22 44 20-34 16 16h170l14-30 20 96 22-150 24 132 14-48h210l16-22 20 38 18-30 14 14h332" />
      </svg>
      <div className={styles.card}>
        <LoginPanel errorCode={typeof errorCode === 'string' ? errorCode : null} />
      </div>
    </div>
  )
}
