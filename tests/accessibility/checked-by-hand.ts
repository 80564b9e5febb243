interface Checked {
  /** The engine, its rule and, of IBM's, the reason. */
  readonly rule: string
  /** The elements that were looked at, by their HTML. */
  readonly on: RegExp
  /** Where they stand, by the path of IBM's engine; anywhere without it. */
  readonly within?: RegExp
}

/**
 * What the engines only ask a person to look at, and somebody has: docs/accessibility.md says what was seen. Anything
 * else that they ask fails the test: look, then write it down in both places.
 */
export const checkedByHand: readonly Checked[] = [
  // What lies under an open list, beside a toast, or on the card where the stage ends behind it: axe cannot tell the ground.
  { rule: 'axe color-contrast', on: /^<(p|h3|label|strong|li|dt|dd)\b/ },
  // A question mark and a cross: no words that a voice would say.
  { rule: 'axe label-content-name-mismatch', on: /aria-label="(Why we ask|Close message)"/ },
  // The skip link.
  { rule: 'IBM element_tabbable_visible potential_visible', on: /"skip-link"/ },
  // The field that only programs see.
  { rule: 'IBM input_label_visible potential_placeholder_only', on: /tabindex="-1"/ },
  { rule: 'IBM input_fields_grouped Potential_1', on: /tabindex="-1"/ },
  { rule: 'IBM style_color_misuse Potential_1', on: /<style>|page\.css/ },
  { rule: 'IBM style_highcontrast_visible Manual_1', on: /<style>|page\.css/ },
  // The sandbox's faults, each called by what the service then answers; the console's acts, as the audit calls them; programs, by name.
  { rule: 'IBM select_options_grouped Potential_1', on: /name="(answer|action|program)"/ },
  // An invitation's link above the form that made it: nothing is filled in there.
  { rule: 'IBM input_fields_grouped Potential_1', on: /id="link"/ },
  // What the audit is filtered by: two fields in a form with a name.
  { rule: 'IBM input_fields_grouped Potential_1', on: /name="(action|subject)"/ },
  // Held by the journey of who uses the keyboard alone.
  {
    rule: 'IBM style_focus_visible potential_focus_not_visible',
    on: /<(input|select|button|a href|summary)/,
  },
  // A figure and its label stand in a div of their own, as HTML lets them.
  { rule: 'IBM list_structure_proper Potential_1', on: /<dl class="[^"]*_figures_/ },
  // Links in an answer that is closed: nothing leads to them until it is opened.
  { rule: 'IBM element_tabbable_unobscured potential_obscured', on: /<a href/ },
  // Whether a view is shared has nothing to do with the filter's own boxes.
  { rule: 'IBM input_checkboxes_grouped potential_lonecheckbox', on: /name="share"/ },
  // A filter's further values, closed likewise; what is open is held by expectFits.
  {
    rule: 'IBM element_tabbable_unobscured potential_obscured',
    on: /<input [^>]*name="(status|area|program|affiliate|state|signal|error|attempts)"/,
  },
  // What the open list of keys covers; columns, the menu of a lead and the filters behind "More filters", closed likewise.
  {
    rule: 'IBM element_tabbable_unobscured potential_obscured',
    on: /_switch_|<button name="toggle"|_danger_|<select name="(area|signal|verified|attempts|restored)"/,
  },
  // On a phone the console's row of pages scrolls sideways, and the focus brings a link into sight: expectFits holds it.
  {
    rule: 'IBM element_tabbable_visible potential_visible',
    on: /^<a /,
    within: /^\/html\[1\]\/body\[1\]\/header\[1\]\/div\[1\]\//,
  },
  // On a phone the console's pages scroll sideways: those out of sight have the colors of the others.
  {
    rule: 'axe color-contrast',
    on: /^<(a href="\/(leads|deliveries|quarantine|jobs|audit|operators|account)"|button type="submit">Sign out)/,
  },
  // The line above a headline, the school’s name in the footer, and a toast, whose words the summary's heading has.
  {
    rule: 'IBM text_block_heading potential_heading',
    on: /_(eyebrow|topic|title|school)_|data-toast|<div>/,
  },
  // "Right to delete", "below" of a list's own place in the text, "the top" of the Terms.
  { rule: 'IBM text_sensory_misuse potential_other', on: /<p>/ },
  { rule: 'IBM text_sensory_misuse potential_position', on: /<(p|h3|li)\b/ },
]
