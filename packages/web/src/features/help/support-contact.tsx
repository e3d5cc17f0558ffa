import { IconMail } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { pageSettings } from '../../lib/page-settings.ts'
import { versionQuery } from '../../lib/product.ts'
import styles from './help.module.css'

/** Whom to write to, and what to tell them about this installation. */
export function SupportContact() {
  const { supportEmail } = pageSettings()
  const running = useQuery(versionQuery()).data
  return (
    <section className={styles.contact} aria-label="Support contact">
      <a className={styles.mail} href={`mailto:${supportEmail}`}>
        <IconMail size={16} stroke={1.7} aria-hidden="true" />
        {supportEmail}
      </a>
      <span className={styles.version}>
        {running === undefined ? ' ' : `Version ${running.version} · ${running.environment}`}
      </span>
    </section>
  )
}
