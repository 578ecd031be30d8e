export function Logo() {
  return (
    <svg width="30" height="30" viewBox="0 0 30 30" aria-hidden="true">
      <rect width="30" height="30" rx="3" fill="var(--color-ink)" />
      <path d="M4 21 26 9" stroke="var(--color-safety)" strokeWidth="3" />
      <circle cx="4.8" cy="20.6" r="2.6" fill="var(--color-paper)" />
      <circle cx="25.2" cy="9.4" r="2.6" fill="var(--color-paper)" />
    </svg>
  );
}
