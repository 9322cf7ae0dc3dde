"""Sound: made in the browser, loaded when it is wanted, remembered, and never in the way; calls to one's turn."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from axe_helpers import findings_day_and_night
from browsing import PATIENCE, Served, Visitors
from playwright.sync_api import Browser, Page, expect
from steps import ASKED, choose, one_lap, race_now, race_on, set_up

WATCHED = """
  window.heard = [];
  window.contexts = [];
  window.vibrations = 0;
  document.addEventListener("spina-sound", (event) => heard.push(event.detail.name));
  window.AudioContext = class extends AudioContext {
    constructor(...options) { super(...options); contexts.push(this); }
  };
  navigator.vibrate = () => (vibrations += 1);
"""
"""Notes every sound that is heard, every audio context and every vibration."""
HIDE = """(hidden) => {
  Object.defineProperty(document, "visibilityState", {value: hidden ? "hidden" : "visible", configurable: true});
  document.dispatchEvent(new Event("visibilitychange"));
}"""
MODULE = "new URL('./%s', document.querySelector('script[src$=\"js/table.js\"]').src).href"
"""The address of a module of the page."""
RENDERED = (
    """async () => {
  const {render} = await import("""
    + MODULE % "sound/rendering.js"
    + """);
  const {CATALOGUE} = await import("""
    + MODULE % "sound/catalogue.js"
    + """);
  const sounds = {};
  for (const name of Object.keys(CATALOGUE)) for (const strength of [0.25, 1]) {
    const buffer = await render(name, strength);
    const again = await render(name, strength);
    const data = buffer.getChannelData(0);
    const rate = buffer.sampleRate;
    let same = true, peak = 0;
    for (let c = 0; c < buffer.numberOfChannels; c++) buffer.getChannelData(c).forEach((value, k) => {
      peak = Math.max(peak, Math.abs(value));
      same &&= Math.abs(value - again.getChannelData(c)[k]) < 1e-3; // browsers add in any order
    });
    const rms = (from, to) => Math.sqrt(data.subarray(from, to).reduce((sum, x) => sum + x * x, 0) / (to - from));
    let loudest = 0;
    const window = Math.round(rate / 10);
    for (let k = 0; k + window <= data.length; k += window) loudest = Math.max(loudest, rms(k, k + window));
    // energy in eight octaves from 60 Hz up, in eight parts of its time
    const picture = [];
    for (let octave = 0; octave < 8; octave++) {
      const offline = new OfflineAudioContext(1, data.length, rate);
      const source = new AudioBufferSourceNode(offline, {buffer});
      const band = new BiquadFilterNode(offline, {type: "bandpass", frequency: 60 * 2 ** octave * Math.SQRT2, Q: 1.4});
      source.connect(band).connect(offline.destination);
      source.start();
      const out = (await offline.startRendering()).getChannelData(0);
      const part = Math.min(out.length, rate) / 8;
      for (let k = 0; k < 8; k++) {
        const slice = out.subarray(Math.round(k * part), Math.round((k + 1) * part));
        picture.push(Math.sqrt(slice.reduce((sum, x) => sum + x * x, 0) / slice.length));
      }
    }
    let step = 0;
    for (let k = 1; k < data.length; k++) step = Math.max(step, Math.abs(data[k] - data[k - 1]));
    sounds[`${name} ${strength}`] = {
      seconds: buffer.duration, peak, loudest, same, picture,
      last: rms(data.length - 200, data.length),
      seam: Math.abs(data[0] - data[data.length - 1]) / step,
    };
  }
  return sounds;
}"""
)


@pytest.fixture
def listener(visitor: Visitors) -> Page:
    """A page whose sounds are noted."""
    page = visitor(sound=True)
    page.add_init_script(WATCHED)
    return page


def modules(page: Page) -> list[str]:
    """Modules of sound that the page has loaded."""
    return page.evaluate(
        "performance.getEntriesByType('resource').map((e) => e.name).filter((n) => n.includes('/js/sound/'))"
    )


def until_heard(page: Page, *names: str) -> None:
    page.wait_for_function("(names) => names.every((name) => heard.includes(name))", arg=list(names))


def open_settings(page: Page) -> Any:
    page.locator(".sound-button").click()
    settings = page.locator("#sound-settings")
    expect(settings).to_be_visible()
    return settings


def test_every_sound_is_clean_balanced_fitting_and_told_apart_from_the_others(visitor: Visitors) -> None:
    page = visitor(sound=True)
    race_now(page, "charioteer")
    sounds = page.evaluate(RENDERED)
    assert len(sounds) == 2 * 15
    for name, sound in sounds.items():
        assert sound["same"], name  # each time
        assert 0.2 < sound["peak"] <= 0.9, name
        assert 0.06 < sound["loudest"] < 0.35, name
        if "crowd" not in name:
            assert sound["last"] < 0.002, name  # it ends in silence, without a click
    assert sounds["crowd 1"]["seam"] < 1  # the loop does not click either
    assert sounds["hooves 1"]["seconds"] < 0.7 * sounds["hooves 0.25"]["seconds"]  # a faster gallop
    assert sounds["fanfare 0.25"]["seconds"] < 2 < sounds["fanfare 1"]["seconds"] < 4
    for brief in ("cards", "knock", "ram", "coin", "dice", "caltrop", "whip"):
        assert sounds[f"{brief} 1"]["seconds"] <= 0.75, brief
    loud = {name: sound["loudest"] for name, sound in sounds.items() if name.endswith(" 1")}
    assert max(loud, key=lambda name: loud[name]) == "crash 1"
    assert loud["knock 1"] < 0.5 * loud["crash 1"]
    pictures = {name: sound["picture"] for name, sound in sounds.items() if name.endswith(" 1")}
    for one, other in combinations(pictures, 2):
        assert likeness(pictures[one], pictures[other]) < 0.95, (one, other)


def likeness(one: list[float], other: list[float]) -> float:
    """The cosine between two spectrograms."""

    def product(a: list[float], b: list[float]) -> float:
        return sum(x * y for x, y in zip(a, b, strict=True))

    return product(one, other) / (product(one, one) * product(other, other)) ** 0.5


def test_nothing_of_sound_is_loaded_or_made_before_the_first_click(listener: Page) -> None:
    page = listener
    race_now(page, "charioteer")
    expect(page.locator(".your-turn")).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert modules(page) == []
    assert page.evaluate("contexts.length") == 0
    choose(page, "charioteer", 2)
    page.wait_for_function("() => contexts[0]?.state === 'running'")
    assert page.evaluate("contexts.length") == 1
    until_heard(page, "knock")


def test_the_switch_and_the_volume_are_remembered_and_off_loads_nothing(listener: Page) -> None:
    page = listener
    race_now(page, "charioteer")
    settings = open_settings(page)
    switch, volume = settings.get_by_role("switch", name="Sound"), settings.get_by_label("Volume")
    expect(switch).to_be_checked()  # on, and heard from the first click on
    page.wait_for_function("() => contexts[0]?.state === 'running'")
    volume.fill("85")
    switch.click()
    page.wait_for_function("() => contexts[0].state === 'suspended'")
    expect(volume).to_be_disabled()
    expect(page.locator(".sound-button")).to_have_accessible_name("Sound, calls, screen reader: sound is off")
    page.keyboard.press("Escape")
    expect(settings).to_be_hidden()

    page.reload()
    choose(page, "charioteer", 2)
    page.wait_for_function("() => document.querySelector('.your-turn')")
    assert modules(page) == []
    assert page.evaluate("[contexts.length, heard.length, vibrations]") == [0, 0, 0]
    settings = open_settings(page)
    expect(settings.get_by_role("switch", name="Sound")).not_to_be_checked()
    expect(settings.get_by_label("Volume")).to_have_value("85")
    settings.get_by_role("switch", name="Sound").click()
    until_heard(page, "knock")  # how loud it is


@pytest.mark.parametrize(
    ("game", "names"),
    [("charioteer", ["cards", "hooves"]), ("chariot-race", ["dice", "hooves"]), ("chariotmaster", ["coin", "hooves"])],
)
def test_a_race_is_heard(visitor: Visitors, game: str, names: list[str]) -> None:
    page = visitor(quick=False, sound=True)
    page.add_init_script(WATCHED)
    race_now(page, game)
    page.locator("#controls .speed").click()
    for _ in range(12):
        choose(page, game)
        if page.evaluate("(names) => names.every((name) => heard.includes(name))", names):
            break
    until_heard(page, *names)
    limit = "heard.length <= 12 * (performance.now() / 1000)"
    assert page.evaluate(limit)


def test_the_winner_is_greeted_with_horns_and_an_old_result_is_silent(listener: Page) -> None:
    page = listener
    set_up(
        page,
        {
            "game": "chariot-race",
            "seats": [{"kind": "me"}, {"kind": "bot", "bot": "easy"}],
            "edition": one_lap("chariot-race"),
        },
    )
    race_on(page, "chariot-race")
    until_heard(page, "fanfare")
    page.reload()
    expect(page.locator(".result h2")).to_be_visible()
    page.locator(".result h2").click()
    page.wait_for_function("() => contexts[0]?.state === 'running'")
    assert "fanfare" not in page.evaluate("heard")


def test_a_hidden_page_is_silent_but_for_the_knock(listener: Page) -> None:
    page = listener
    race_now(page, "charioteer")
    choose(page, "charioteer")
    page.wait_for_function("() => contexts[0]?.state === 'running'")
    page.wait_for_function("() => document.querySelector('.your-turn')")
    page.evaluate(HIDE, True)
    page.wait_for_function("() => contexts[0].state === 'suspended'")
    page.evaluate("heard.length = 0")
    for _ in range(10):  # some may follow too soon on that of the turn before
        choose(page, "charioteer")
        page.wait_for_function(ASKED)
        if page.evaluate("heard.includes('knock')"):
            break
    until_heard(page, "knock")
    page.wait_for_function("() => contexts[0].state === 'suspended'")  # as soon as it is over
    assert page.evaluate("new Set(heard).size") == 1


TURNS = (
    """async () => {
  const {TurnCall} = await import("""
    + MODULE % "turn-call.js"
    + """);
  const call = new TurnCall("A table");
  const calls = [];
  vibrations = 0;
  const seats = [{away: false}, {away: false}];
  const state = (waiting, status = "running") => ({status, looking: 0, own: [0], waiting, seats, version: 1});
  const by = (seat) => [{kind: "play", seat, events: [], version: 1, at: 0}];
  const step = (waiting, moments) => {
    call.see(state(waiting), moments);
    call.settle(state(waiting));
    calls.push(vibrations);
  };
  step([0], []);       // asked: a call
  call.chose();
  step([0], by(0));    // a further question of the same turn: none
  call.chose();
  step([1], by(0));    // now the rival
  step([0], by(1));    // asked again: a call
  step([0], by(1));    // a rival chooses while this page still thinks: none
  call.chose();
  step([0], by(0));    // everybody has chosen, and the next turn asks at once: a call
  seats[0].away = true;
  call.chose();
  step([0], by(1));    // a bot drives: none
  return calls;
}"""
)


def test_a_person_is_called_once_a_turn(listener: Page) -> None:
    page = listener
    race_now(page, "charioteer")
    page.locator(".sound-button").click()  # browsers let nothing sound or vibrate before a click
    page.wait_for_function("() => contexts[0]?.state === 'running'")
    assert page.evaluate(TURNS) == [1, 1, 1, 2, 2, 3, 3]


NOTED = """
  window.shown = [];
  window.Notification = class extends EventTarget {
    static permission = "default";
    static requestPermission() { return Promise.resolve((this.permission = window.answer ?? "granted")); }
    constructor(title, options) {
      super();
      shown.push(Object.assign(this, {title, closed: false, ...options}));
    }
    close() { this.closed = true; }
  };
  window.focus = () => (window.focused = true);
"""
"""Stands for the system that shows notifications, which headless browsers do not have."""


def test_a_person_who_looks_elsewhere_is_notified_if_they_asked_for_it(listener: Page) -> None:
    page = listener
    page.add_init_script(NOTED)
    race_now(page, "charioteer")
    settings = open_settings(page)
    assert page.evaluate("Notification.permission") == "default"  # nothing is asked without a click
    settings.get_by_role("switch", name="Notification").click()
    expect(settings.get_by_role("switch", name="Notification")).to_be_checked()
    assert page.evaluate("shown.map((n) => n.title)") == ["You will be called like this"]
    page.keyboard.press("Escape")
    choose(page, "charioteer")
    page.wait_for_function("() => document.querySelector('.your-turn') && heard.includes('knock')")
    assert page.evaluate("shown.length") == 1  # the page is seen
    page.evaluate(HIDE, True)
    choose(page, "charioteer")
    page.wait_for_function("() => shown.length === 2")
    assert page.evaluate("[shown[1].title, shown[1].closed]") == ["Your turn", False]
    page.evaluate("shown[1].dispatchEvent(new Event('click'))")
    assert page.evaluate("[window.focused, shown[1].closed]") == [True, True]


def test_the_browser_itself_grants_notifications_to_this_machine(whole_browser: Browser, served: Served) -> None:
    visitors = Visitors(whole_browser, served.url)
    page = visitors(sound=True)
    race_now(page, "chariot-race")
    page.context.grant_permissions(["notifications"])
    settings = open_settings(page)
    settings.get_by_role("switch", name="Notification").click()
    expect(settings.get_by_role("switch", name="Notification")).to_be_checked()
    assert page.evaluate("[Notification.permission, localStorage.getItem('spina-notify')]") == ["granted", "on"]
    page.reload()
    expect(open_settings(page).get_by_role("switch", name="Notification")).to_be_checked()
    assert visitors.problems == []


@pytest.mark.parametrize(
    ("obstacle", "words"),
    [
        ("Object.defineProperty(window, 'isSecureContext', {value: false});", "only over https"),
        ("Notification.permission = 'denied';", "does not let this page"),
        ("delete window.Notification;", "shows no notifications"),
    ],
)
def test_the_page_says_why_there_can_be_no_notifications(listener: Page, obstacle: str, words: str) -> None:
    page = listener
    page.add_init_script(NOTED + obstacle)
    race_now(page, "charioteer")
    settings = open_settings(page)
    expect(settings.get_by_role("switch", name="Notification")).to_be_disabled()
    expect(settings).to_contain_text(words)


def test_a_refusal_of_the_browser_is_told(listener: Page) -> None:
    page = listener
    page.add_init_script(NOTED + "window.answer = 'denied';")
    race_now(page, "charioteer")
    settings = open_settings(page)
    settings.get_by_role("switch", name="Notification").click()
    expect(settings).to_contain_text("does not let this page")
    expect(settings.get_by_role("switch", name="Notification")).not_to_be_checked()


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("phone", [False, True], ids=["wide", "phone"])
def test_the_settings_fit_are_accessible_and_work_with_keys(visitor: Visitors, phone: bool, language: str) -> None:
    page = visitor(phone=phone, language=language, sound=True)
    race_now(page, "chariot-race")
    page.locator(".sound-button").focus()
    page.keyboard.press("Enter")
    settings = page.locator("#sound-settings")
    switches = settings.get_by_role("switch")
    expect(switches.first).to_be_focused()
    expect(page.locator(".sound-button")).to_have_attribute("aria-expanded", "true")
    assert findings_day_and_night(page) == []
    box, view = settings.bounding_box(), page.viewport_size
    assert box and view
    assert box["x"] >= 0 and box["y"] >= 0
    assert box["x"] + box["width"] <= view["width"] and box["y"] + box["height"] <= view["height"]
    for target in (".sound-button", "#sound-settings label.check", "#sound-settings input[type=range]"):
        for height in page.locator(target).evaluate_all("(all) => all.map((e) => e.getBoundingClientRect().height)"):
            assert height >= 44, target
    page.keyboard.press("Space")
    expect(switches.first).not_to_be_checked()
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    expect(settings.locator("input[type=range]")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(settings.locator("input[type=range]")).to_have_value("65")
    page.keyboard.press("Escape")
    expect(settings).to_be_hidden()
    expect(page.locator(".sound-button")).to_be_focused()
    page.locator(".sound-button").click()
    expect(settings).to_be_visible()
    page.locator(".sound-button").click()
    expect(settings).to_be_hidden(timeout=PATIENCE)
