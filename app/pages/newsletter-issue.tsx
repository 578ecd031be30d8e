export default function Page() {
  return <h1>newsletter-issue</h1>;
}
