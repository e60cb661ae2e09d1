// The style of the HTML page: light and dark by the reader's wish, one column at phone width.
#include "report/html.hpp"

namespace wheel_audit {

// One text, which is as long as the style is.
std::string_view html_style() {  // NOLINT(readability-function-size)
  return R"(:root {
  --paper: #fbfbfa; --card: #fff; --ink: #1c1d21; --dim: #5b606b; --line: #dfe1e6; --code: #f1f2f5;
  --bad: #b42318; --bad-soft: #fdecea; --warn: #8a5a00; --warn-soft: #fdf3dc; --note: #3b5b8c;
  --note-soft: #eaf0fa; --good: #1c7a43; --good-soft: #e4f5ea; --grey-soft: #eeeff2;
  --sass: #14756a; --ptx: #c98a1b; --lto: #7a67b5; --sass-soft: #c5e8e2; --ptx-soft: #f8e3b5;
  --both-soft: #a3d9a5; --lto-soft: #ddd5f3; --none-soft: #f4e4e2; --none-ink: #8c5a54;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15171b; --card: #1d2026; --ink: #e6e7ea; --dim: #a0a6b2; --line: #343943;
    --code: #272b33; --bad: #ff8f85; --bad-soft: #45211f; --warn: #f0bd5a; --warn-soft: #3d3118;
    --note: #9dbdf2; --note-soft: #22304a; --good: #76d39a; --good-soft: #1b3a27;
    --grey-soft: #2b2f37; --sass: #3fb3a4; --ptx: #e0aa45; --lto: #a794e6; --sass-soft: #1d4f49;
    --ptx-soft: #574013; --both-soft: #28592b; --lto-soft: #3d3462; --none-soft: #3a2625;
    --none-ink: #d39b94;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0 auto; max-width: 72rem; padding: 1rem 1.25rem 3rem; background: var(--paper);
  color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
code { font: 0.875em/1.4 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  overflow-wrap: anywhere; }
h1, h2, h3, h4 { line-height: 1.25; margin: 0; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; overflow-wrap: anywhere; }
h3 { font-size: 1rem; margin: 1.5rem 0 0.5rem; } h4 { font-size: 0.9rem; margin: 1rem 0 0.4rem; color: var(--dim); }
p { margin: 0.4rem 0; } small { color: var(--dim); font-size: 0.85em; } ul { padding-left: 1.2rem; }
a { color: var(--note); overflow-wrap: anywhere; }
:focus-visible { outline: 3px solid var(--note); outline-offset: 2px; border-radius: 4px; }
summary { cursor: pointer; }
.facts, footer, .refs { color: var(--dim); font-size: 0.9rem; }
footer { margin-top: 2rem; }
.badge { display: inline-block; padding: 0.05rem 0.55rem; border-radius: 1rem; font-size: 0.8rem;
  font-weight: 600; background: var(--grey-soft); color: var(--dim); white-space: nowrap; vertical-align: 0.08em; }
.clean > h1 > .badge, .clean > h2 > .badge, .clean > a > .badge { background: var(--good-soft); color: var(--good); }
.findings > h1 > .badge, .findings > h2 > .badge, .findings > a > .badge, .error > summary > .badge { background: var(--bad-soft); color: var(--bad); }
.incomplete > h1 > .badge, .incomplete > h2 > .badge, .incomplete > a > .badge, .warning > summary > .badge, .unread > .badge { background: var(--warn-soft); color: var(--warn); }
.note > summary > .badge { background: var(--note-soft); color: var(--note); }
nav ul { list-style: none; padding: 0; margin: 0.8rem 0 0; } nav li { margin: 0.3rem 0; }
nav a { color: inherit; text-decoration: none; } nav a:hover { text-decoration: underline; }
.filters { display: flex; flex-wrap: wrap; gap: 0.4rem 1.2rem; margin-top: 0.8rem; }
.filters label { cursor: pointer; padding: 0.2rem 0; }
body:has(#show-error:not(:checked)) .finding.error, body:has(#show-warning:not(:checked)) .finding.warning,
body:has(#show-note:not(:checked)) .finding.note, body:has(#show-waived:not(:checked)) .finding.waived { display: none; }
article { background: var(--card); border: 1px solid var(--line); border-radius: 0.75rem; margin-top: 1.5rem;
  padding: 1.1rem 1.25rem; border-top: 4px solid var(--line); }
article.clean { border-top-color: var(--good); } article.findings { border-top-color: var(--bad); }
article.incomplete { border-top-color: var(--warn); }
.finding { border: 1px solid var(--line); border-left: 4px solid var(--line); border-radius: 0.4rem;
  margin: 0.5rem 0; padding: 0.5rem 0.75rem; overflow-wrap: anywhere; }
.finding.error { border-left-color: var(--bad); } .finding.warning { border-left-color: var(--warn); }
.finding.unread { border-left-color: var(--warn); } .finding.note { border-left-color: var(--note); }
.finding.waived > summary > .message { color: var(--dim); }
.finding > div { padding: 0.3rem 0 0.1rem; }
.finding .rule { font-weight: 600; } .finding .where { color: var(--dim); }
.finding .message { display: block; margin-top: 0.2rem; }
.fix { background: var(--code); border-radius: 0.4rem; padding: 0.45rem 0.7rem; }
.fix b { margin-right: 0.4rem; }
.why { color: var(--dim); font-size: 0.92rem; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.15rem 0.9rem; margin: 0.6rem 0; font-size: 0.92rem; }
dt { color: var(--dim); } dd { margin: 0; }
.members { margin: 0.3rem 0; }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 0.4rem; }
table { border-collapse: collapse; font-size: 0.85rem; width: 100%; }
th, td { padding: 0.35rem 0.5rem; text-align: center; border-bottom: 1px solid var(--line); }
tbody tr:last-child > * { border-bottom: 0; }
thead th { color: var(--dim); font-weight: 600; }
th:first-child { position: sticky; left: 0; background: var(--card); text-align: left; font-weight: 400;
  min-width: 9rem; overflow-wrap: anywhere; border-right: 1px solid var(--line); }
.heat { min-width: 4.2rem; width: 6rem; border-left: 2px solid var(--card); }
.heat small { display: block; color: inherit; opacity: 0.8; }
.heat.sass { background: var(--sass-soft); } .heat.ptx { background: var(--ptx-soft); }
.heat.both { background: var(--both-soft); } .heat.lto { background: var(--lto-soft); }
.heat.nothing { background: var(--none-soft); color: var(--none-ink); }
.devices { list-style: none; padding: 0; margin: 0; display: flex; flex-wrap: wrap; gap: 0.4rem; }
.devices li { padding: 0.15rem 0.6rem; border-radius: 0.4rem; background: var(--none-soft); font-size: 0.85rem; }
.devices .none { color: var(--none-ink); } .devices .sass { background: var(--sass-soft); }
.devices .ptx { background: var(--ptx-soft); } .devices .part { background: var(--warn-soft); }
.bars { list-style: none; padding: 0; margin: 0; font-size: 0.85rem; }
.bars li { display: grid; grid-template-columns: 3.2rem minmax(0, 1fr) 17rem; gap: 0.6rem; align-items: center; margin: 0.2rem 0; }
.bar { display: flex; height: 0.9rem; background: var(--grey-soft); border-radius: 0.25rem; overflow: hidden; }
.bar i { min-width: 2px; } .bar .sass { background: var(--sass); } .bar .ptx { background: var(--ptx); } .bar .lto { background: var(--lto); }
.loads details { margin: 0.25rem 0; } .loads ul { list-style: none; padding-left: 1.1rem; margin: 0.15rem 0 0.15rem 0.25rem; border-left: 1px solid var(--line); }
.loads li { margin: 0.15rem 0; overflow-wrap: anywhere; }
.rules { margin-top: 1.2rem; color: var(--dim); font-size: 0.9rem; overflow-wrap: anywhere; }
@media (max-width: 40rem) {
  body { padding: 0.75rem 0.6rem 2rem; } article { padding: 0.85rem 0.75rem; }
  dl { grid-template-columns: minmax(0, 1fr); gap: 0; } dd { margin-bottom: 0.35rem; }
  .bars li { grid-template-columns: 3rem minmax(0, 1fr); } .bars li span:last-child { grid-column: 2; margin-top: -0.35rem; color: var(--dim); }
  th:first-child { min-width: 7rem; max-width: 9rem; }
  .loads ul { padding-left: 0.7rem; }
}
@media print { .filters, nav { display: none; } article { break-inside: avoid-page; } }
)";
}

}  // namespace wheel_audit
