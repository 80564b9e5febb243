interface Checked {
  /** The engine and its rule, for IBM with the reason. */
  readonly rule: string
  /** Matches the HTML of the elements that a person has checked. */
  readonly on: RegExp
  /** Matches the elements' path as IBM's engine writes it; any path if undefined. */
  readonly within?: RegExp
}

/**
 * Questions of the engines that a person has answered, with the answers. Any other question fails the test. Look at the
 * page, then write the answer down here.
 */
export const checkedByHand: readonly Checked[] = [
  // axe cannot determine the background under an open list, beside a toast, on the card where the stage ends behind it,
  // or where the box of a scene begins behind words: reads-words-over-a-scene.journey.ts measures those.
  { rule: 'axe color-contrast', on: /^<(p|h1|h2|h3|label|span|strong|li|dt|dd)\b/ },
  // The form's controls, on its opaque card.
  {
    rule: 'axe color-contrast',
    on: /^<((input|select) .*field-|button class="_\d+(primary|quiet)")/,
  },
  { rule: 'axe color-contrast', on: /^<a href="[^"]*#(areas|programs|request)"/ },
  // On the card, which is opaque, also under an open list.
  {
    rule: 'axe color-contrast',
    on: /^<(h2 class="[^"]*_\d+heading"|span class="_\d+call"|a class="[^"]*_\d+another"|a href="(tel:|\/information\/privacy-(rights|policy))|span>Your reference|code>|b\b)/,
  },
  // A question mark and a cross, which are no words that a voice user would say.
  { rule: 'axe label-content-name-mismatch', on: /aria-label="(Why we ask|Close message)"/ },
  { rule: 'IBM element_tabbable_visible potential_visible', on: /"skip-link"/ },
  // The honeypot field, which only programs see.
  { rule: 'IBM input_label_visible potential_placeholder_only', on: /tabindex="-1"/ },
  { rule: 'IBM input_fields_grouped Potential_1', on: /tabindex="-1"/ },
  { rule: 'IBM style_color_misuse Potential_1', on: /<style>|page\.css/ },
  { rule: 'IBM style_highcontrast_visible Manual_1', on: /<style>|page\.css/ },
  // The sandbox's faults, named by the service's answer; the console's actions, named as in the audit log; programs, by
  // name.
  { rule: 'IBM select_options_grouped Potential_1', on: /name="(answer|action|program)"/ },
  // An invitation's link and a webhook's secret above the form that created it, which are not for input.
  { rule: 'IBM input_fields_grouped Potential_1', on: /id="(link|secret)"/ },
  // Two filters of the audit log, in a form with a name.
  { rule: 'IBM input_fields_grouped Potential_1', on: /name="(action|subject)"/ },
  // The fields of an affiliate, in a form with a name, each with a visible label above it.
  {
    rule: 'IBM input_fields_grouped Potential_1',
    on: /name="(name|ids|payout|postback|notes)"/,
  },
  { rule: 'IBM input_label_visible potential_no_label', on: /name="(ids|notes|holidays)"/ },
  // A payout, a revenue or an amount of ad spend, in forms with a name, each field with a visible label above it.
  {
    rule: 'IBM input_fields_grouped Potential_1',
    on: /name="(amount|program|source|campaign)"/,
  },
  // Two ways to give a file of returns or of ad spend, each with a visible label above it.
  { rule: 'IBM input_fields_grouped Potential_1', on: /name="(file|pasted)"/ },
  { rule: 'IBM input_label_visible potential_no_label', on: /name="pasted"/ },
  // tests/journeys/uses-the-keyboard-alone.journey.ts checks these.
  {
    rule: 'IBM style_focus_visible potential_focus_not_visible',
    on: /<(input|select|button|a (aria-current="true" )?href|a data-filled|summary|textarea)/,
  },
  // The light behind a quotation and at the foot of an area's card, which says nothing.
  { rule: 'IBM img_alt_background Manual_1', on: /^<(figure|a href="\/[a-z]+(#programs)?")/ },
  // Somebody said the quotation, so there is no document to cite; the caption names the person.
  { rule: 'IBM blockquote_cite_exists Potential_1', on: /^<blockquote>/ },
  // HTML allows a div around each figure and its label.
  { rule: 'IBM list_structure_proper Potential_1', on: /<dl class="[^"]*_\d+figures"/ },
  // Labels of a chart of one character, too short for axe: ink on the card's paper, or on a tile of tile-map.module.css.
  { rule: 'axe color-contrast', on: /^<text / },
  // Links in a closed answer, or in a chart's closed table, cannot be focused until it is opened.
  { rule: 'IBM element_tabbable_unobscured potential_obscured', on: /<a (download="" )?href/ },
  // The button of a filter, and buttons in a row. expectFits checks that nothing covers them.
  {
    rule: 'IBM element_tabbable_unobscured potential_obscured',
    on: /^<button type="submit" class="(_\d+(primary|danger) )?_\d+button">/,
  },
  // The button Clear of this form is beside Apply, in the form of the filter.
  { rule: 'IBM form_submit_button_exists Potential_1', on: /id="without-filter"/ },
  // The check box that shares a view has nothing to do with the filter's check boxes.
  { rule: 'IBM input_checkboxes_grouped potential_lonecheckbox', on: /name="share"/ },
  // Further values of a filter that is closed, as above, and days of a closed range. expectFits checks the open ones.
  {
    rule: 'IBM element_tabbable_unobscured potential_obscured',
    on: /<input [^>]*name="(status|area|program|affiliate|state|signal|error|attempts|from|to)"/,
  },
  // “Medium” is a part of the link that brought the visitor, not a size.
  { rule: 'IBM text_sensory_misuse potential_other', on: /^<dd>$/ },
  // Elements in a closed part: the filters behind "More filters".
  {
    rule: 'IBM element_tabbable_unobscured potential_obscured',
    on: /^<summary>$|<select [^>]*name="(signal|restored|returned|rejected|held)"/,
  },
  // On a phone the console's navigation scrolls sideways, and focus scrolls a link into view: expectFits checks it.
  {
    rule: 'IBM element_tabbable_visible potential_visible',
    on: /^<a /,
    within: /^\/html\[1\]\/body\[1\]\/header\[1\]\/div\[1\]\//,
  },
  // The background is a shadow, which shows that the navigation scrolls. console-page.module.css has the contrast.
  { rule: 'IBM img_alt_background Manual_1', on: /class="_\d+nav"/ },
  {
    rule: 'IBM text_contrast_sufficient potential_graphic_background',
    on: /./,
    within: /^\/html\[1\]\/body\[1\]\/header\[1\]\/div\[1\]\//,
  },
  // On a phone the console's navigation scrolls sideways over the shadow; hidden links have the colors of visible ones.
  {
    rule: 'axe color-contrast',
    on: /^<(a (aria-current="(page|true)" )?href="\/(leads|deliveries|quarantine|funnel|affiliates|jobs|statements|spend|returns|caps|webhooks|audit|operators|account)?"|summary>More<|button type="submit">Sign out)/,
  },
  // The line above a headline, the school’s name in the footer, and the first line of a toast.
  {
    rule: 'IBM text_block_heading potential_heading',
    on: /_\d+(eyebrow|topic|title|school)"|data-toast|<div>/,
  },
  // "Right to delete", "below" for a list's place in the text, and "the top" of the Terms.
  { rule: 'IBM text_sensory_misuse potential_other', on: /<p>/ },
  // "medium" is the name of the parameter `utm_medium`, not a size: on a lead, and as the label of a filter.
  { rule: 'IBM text_sensory_misuse potential_other', on: /<(dd|label)\b/ },
  { rule: 'IBM text_sensory_misuse potential_position', on: /<(p|h3|li)\b/ },
]
