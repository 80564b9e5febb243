/** The site's mark, an academic cap, as paths in a field of 32 by 32: in the header, and in the icons that the build makes. */
export const capMark = {
  board: 'M16 4 2 11l14 7 14-7z',
  cap: 'M7 15v7c0 2 4 5 9 5s9-3 9-5v-7l-9 4.5z',
  capOpacity: 0.75,
}
