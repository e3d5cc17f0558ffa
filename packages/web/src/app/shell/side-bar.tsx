import { Link } from '@tanstack/react-router'
import { navigation } from './navigation.ts'
import styles from './side-bar.module.css'

/** The areas of the console: icons at the side, at the bottom of a narrow screen. */
export function SideBar() {
  return (
    <nav className={styles.bar} aria-label="Areas">
      <div className={styles.links}>
        {navigation.map(({ to, label, icon: AreaIcon }) => (
          <Link key={to} to={to} className={styles.link} activeProps={{ 'data-active': true }} title={label}>
            <AreaIcon size={20} stroke={1.7} aria-hidden="true" />
            <span className={styles.label}>{label}</span>
          </Link>
        ))}
      </div>
    </nav>
  )
}
