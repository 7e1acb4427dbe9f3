"""Texts of posts, reproducible from a seed and different for every post.

For English, the list of words is ten times longer than that of the skins: with sixty words every text has the same
letter pairs, and a feed entry would match any page.
"""

from __future__ import annotations

from functools import cache

import msgspec
from tests.skins.languages import LANGUAGES, Language
from tests.skins.words import Writer

_ENGLISH = """
anchor apron attic autumn axle bakery balcony ballad bamboo banjo barley basil beacon beetle bellows bicycle binder
biscuit blanket blossom boiler bonnet bottle boulder bracket branch breeze bucket buckle bureau butter cabbage cabin
cactus camera candle canoe canvas carpet castle cedar cellar chalk charcoal chimney cider cinema circuit clarinet
clay clinic clock closet clover cobalt coffee collar comet compass concert copper coral cottage cradle crane crayon
cricket crystal cupboard curtain cushion cymbal dahlia dairy desert diesel dinghy donkey drawer dresser drizzle drum
dungeon eagle easel eclipse elbow ember engine envelope estuary fabric falcon fennel ferry fiddle flannel flask
flour fountain fossil freight fridge funnel furnace gable galaxy garage garlic gasket geyser ginger glacier glove
goblet granite gravel grocer guitar gutter hammock hamper harness harvest hatchet hazel hedge helmet heron hinge
honey horizon hostel hydrant iceberg icicle indigo insulin island ivory jacket jasmine jersey jigsaw jungle juniper
kayak kernel kiosk kitchen kitten ladle lagoon lantern lattice laundry lavender leather ledger lemon lentil library
lichen lilac linen lizard lobster locket lumber lyric magnet mallet mango maple marble meadow melody mercury meteor
midnight minnow mirror mitten monsoon morning mosaic muffin mushroom mustard napkin needle nickel nozzle nugget
oatmeal oboe octave olive onion opal orbit orchard osprey otter oven oyster paddle palette pantry parcel parsley
pasture pebble pelican pencil pepper piano picnic pigeon pillow piston planet plaster plywood pocket pollen pond
poppy porcelain postcard potato prairie printer prism puddle pulley pumpkin puppet quarry quartz quill quilt rabbit
radar radish rafter railway raisin raven receipt reed relay ribbon ridge river rocket rudder saddle saffron salmon
sandal satchel saucer savanna scaffold scarf shovel shutter silver siren skillet sleet socket sonnet sparrow spatula
spinach spiral sponge spruce stable stadium steamer stencil stove stubble sundial swallow syrup tablet tailor
tambourine tannery teapot telegraph tempest terrace thicket thimble thistle thunder timber tinder toaster tobacco
toffee tomato torrent tractor trellis trinket trombone tunnel turnip tweed twilight umbrella uniform valley vanilla
velvet veranda vessel vineyard violet volcano waffle wagon walnut warbler wardrobe weasel whistle wicker willow
windmill wrench yarrow yeast yogurt zephyr zinc zipper asked baked bent bought built burned called carved caught
chased climbed counted crossed dried drove dug failed fell filled fixed folded found gathered grew guessed hid
hummed kept knocked learned lifted listened lost mended met missed moved named ordered packed peeled planted played
poured promised pulled pushed raised ran reached repaired rested returned rolled sailed sang saved served shared
slept sold spent stirred swept taught threw tied tried turned waited walked washed watched whispered wondered wrote
bitter blue bold brief bright calm cheap clumsy cold curious damp dark deep distant dull eager early empty faint
fierce fond frozen gentle gloomy golden green heavy hollow honest hungry idle jolly keen lively lonely loose loud
mild modest narrow odd pale plain polite proud quick rare rough rusty salty sharp shy silent simple slow smooth soft
sour stale steep stiff strange sturdy sweet tall thick thin tidy tired vivid warm weary wide wild wise young
"""


@cache
def language(code: str) -> Language:
    """Return the words of a language."""
    found = LANGUAGES[code]
    return msgspec.structs.replace(found, words=_ENGLISH) if code == "en" else found


def writer(seed: str, code: str = "en") -> Writer:
    """Return a writer whose texts depend only on the seed."""
    return Writer(language(code), f"zoo {seed}")
