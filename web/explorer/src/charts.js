// In place of the charts of the command, which this page does not have: its tab is left out.
export default () => {};
