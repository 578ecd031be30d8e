import { expect, test } from "vitest";
import { readStyle, writeStyle } from "./inline-style.ts";

const kept = (style: string) => writeStyle(readStyle(style).kept);

test.each([
  ["COLOR: #FFF ; font-weight:BOLD", "color:#fff;font-weight:bold"],
  ["color:red!important", "color:red"],
  ["background:#FFFFFF none no-repeat center/cover", "background-color:#ffffff"],
  ["color:rgba( 0 , 0,0, .5 )", "color:rgba(0,0,0,.5)"],
  ["padding:10px 18px", "padding:10px 18px 10px 18px"],
  ["padding:300px", "padding:64px 24px 64px 24px"],
  ["margin:-10px", ""],
  ["font-size:11px", "font-size:13px"],
  ["font-size:90px", "font-size:30px"],
  ["font-size:0", ""],
  ["font-size:16px;line-height:24px", "font-size:16px"],
  ["width:200%", ""],
  ["border:1px solid #E1E4E8;border-bottom:none", "border:1px solid #e1e4e8"],
  ["border-left: 25px solid #DC4D2F", "border-left:25px solid #dc4d2f"],
  ["border:99px solid red", ""],
  ["display:grid", ""],
  ["position:absolute;top:0;left:0", ""],
  ["filter:blur(9px);mix-blend-mode:difference;clip-path:none", ""],
  ["__proto__:1;constructor:2;hasOwnProperty:3", ""],
])("%s is kept as %s", (style, result) => {
  expect(kept(style)).toBe(result);
});
